package io.gauze.regression;

import io.gauze.mechanism.ReleaseId;
import io.gauze.release.Release;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Adds releases of different epochs up, one at a time. The result equals {@link FitInput#of(List)}
 * to the last bit, without holding all releases. Holds the sum and the first release. Mutable, not
 * thread-safe.
 */
public final class MergedReleases {
  private final Set<String> epochs = new HashSet<>();
  private Optional<Release> first = Optional.empty();
  private Optional<FitInput> sum = Optional.empty();

  static FitInput read(List<Release> releases) {
    MergedReleases merged = new MergedReleases();
    releases.forEach(merged::add);
    return merged.sum();
  }

  /**
   * Adds a release; nothing changes if it throws.
   *
   * @param next of another epoch than those before
   * @throws IllegalArgumentException if it cannot be read, or cannot be added to those before, as
   *     {@link FitInput#of(List)} says
   */
  public void add(Release next) {
    if (first.isEmpty()) {
      sum = Optional.of(FitInput.of(next));
      first = Optional.of(next);
    } else {
      check(first.get(), next);
      if (epochs.contains(next.id().epoch())) {
        throw new IllegalArgumentException(
            "merged releases must be of different epochs: a row would count twice. Provided value: "
                + next.id()
                + " again");
      }
      FitInput read = FitInput.of(next);
      if (!read.addsUp()) {
        throw new IllegalArgumentException(
            "releases of "
                + next.mechanism()
                + " cannot be merged: "
                + read.whyNotSummable()
                + "; fit one epoch");
      }
      sum = Optional.of(sum().plus(read));
    }
    epochs.add(next.id().epoch());
  }

  /**
   * Returns the input for the rows of all releases so far.
   *
   * @throws IllegalArgumentException if there is none
   */
  public FitInput sum() {
    return sum.orElseThrow(
        () -> new IllegalArgumentException("releases must not be empty. Provided value: []"));
  }

  private static void check(Release first, Release next) {
    same("stream", release -> release.id().stream(), first, next);
    same("group", release -> release.id().group(), first, next);
    same("sketch", release -> release.id().sketch(), first, next);
    same("mechanism", Release::mechanism, first, next);
    if (first.isCumulative() || next.isCumulative()) {
      throw new IllegalArgumentException(
          "cumulative releases hold the rows of all epochs before and cannot be merged; fit the last"
              + " one alone. Provided value: "
              + first.id()
              + " and "
              + next.id());
    }
    same("settings", Release::settings, first, next);
    same("encoding (columns, ranges, row bound)", Release::encodingVersion, first, next);
    same("budget", release -> release.guarantee().budget(), first, next);
    same("unit", release -> release.guarantee().unit(), first, next);
    if (first.guarantee().unit().sharesBudget()) {
      throw new IllegalArgumentException(
          "snapshots of a table hold the same rows and cannot be merged; fit one epoch. Provided"
              + " value: "
              + first.id()
              + " and "
              + next.id());
    }
    same("randomness", release -> release.guarantee().isPrivate(), first, next);
  }

  private static void same(
      String what, Function<Release, Object> part, Release first, Release next) {
    Object wanted = part.apply(first);
    Object found = part.apply(next);
    if (!wanted.equals(found)) {
      ReleaseId id = next.id();
      throw new IllegalArgumentException(
          "merged releases must have one "
              + what
              + ". Provided value: "
              + wanted
              + " and, in "
              + id
              + ", "
              + found);
    }
  }
}
