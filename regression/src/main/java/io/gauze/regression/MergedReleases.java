package io.gauze.regression;

import io.gauze.mechanism.ReleaseId;
import io.gauze.plan.EncodingDifference;
import io.gauze.release.Release;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Adds releases of different rows up, one at a time: those of different epochs, groups or streams.
 * The result equals {@link FitInput#of(List)} to the last bit, without holding all releases. Holds
 * the sum and the first release of each stream. Mutable, not thread-safe.
 */
public final class MergedReleases {
  private final Set<List<String>> cells = new HashSet<>();
  private final Map<String, Release> firsts = new LinkedHashMap<>(); // by stream
  private Optional<FitInput> sum = Optional.empty();

  static FitInput read(List<Release> releases) {
    MergedReleases merged = new MergedReleases();
    releases.forEach(merged::add);
    return merged.sum();
  }

  /**
   * Adds a release; nothing changes if it throws.
   *
   * @param next of another epoch, group or stream than those before
   * @throws IllegalArgumentException if it cannot be read, or cannot be added to those before, as
   *     {@link FitInput#of(List)} says
   */
  public void add(Release next) {
    ReleaseId id = next.id();
    List<String> cell = List.of(id.stream(), id.group(), id.epoch());
    if (sum.isEmpty()) {
      sum = Optional.of(FitInput.of(next));
    } else {
      check(firsts.values().iterator().next(), next);
      if (firsts.containsKey(id.stream())) {
        checkOfOneStream(firsts.get(id.stream()), next);
      }
      if (cells.contains(cell)) {
        throw new IllegalArgumentException(
            "merged releases must be of different epochs, groups or streams: a row would count"
                + " twice. Provided value: "
                + id
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
      sum = Optional.of(plus(sum(), read, next));
    }
    cells.add(cell);
    firsts.putIfAbsent(id.stream(), next);
  }

  private FitInput plus(FitInput before, FitInput read, Release next) {
    int length = firsts.values().iterator().next().payload().length();
    if (next.payload().length() != length) {
      throw new IllegalArgumentException(
          "merged releases must have one size, which some sketches plan from the budget and the"
              + " expected rows; give its option in each config. Provided value: "
              + length
              + " numbers and, in "
              + next.id()
              + ", "
              + next.payload().length());
    }
    return before.plus(read);
  }

  /** The first release of each stream, in the order in which they came; immutable. */
  public Map<String, Release> firsts() {
    return Collections.unmodifiableMap(firsts);
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
    same("mechanism", Release::mechanism, first, next);
    same("settings", Release::settings, first, next);
    if (!first.encodingVersion().equals(next.encodingVersion())) {
      throw new IllegalArgumentException(
          "merged releases must have one encoding: "
              + String.join(
                  "; ",
                  EncodingDifference.lines(
                      first.schema(), first.id().toString(), next.schema(), next.id().toString()))
              + ". Give the configs one file with encoding:, see gauze check --write-encoding");
    }
    same("unit", release -> release.guarantee().unit(), first, next);
    same("neighbours", release -> release.guarantee().neighbours(), first, next);
    if (first.guarantee().isPrivate() != next.guarantee().isPrivate()) {
      throw new IllegalArgumentException(
          "merged releases must all be private, or none of them. Provided value: "
              + first.id()
              + " and "
              + next.id());
    }
  }

  /** The epochs of one stream have one budget and, of each group, one sketch. */
  private static void checkOfOneStream(Release first, Release next) {
    same("sketch", release -> release.id().sketch(), first, next);
    same("budget", release -> release.guarantee().budget(), first, next);
    if (first.isCumulative() || next.isCumulative()) {
      throw new IllegalArgumentException(
          "cumulative releases hold the rows of all epochs before and cannot be merged; fit the last"
              + " one alone. Provided value: "
              + first.id()
              + " and "
              + next.id());
    }
    if (first.guarantee().unit().sharesBudget()) {
      throw new IllegalArgumentException(
          "snapshots of a table hold the same rows and cannot be merged; fit one epoch. Provided"
              + " value: "
              + first.id()
              + " and "
              + next.id());
    }
    requireApart("group", release -> release.id().group(), ReleaseId.ALL, first, next);
    requireApart("epoch", release -> release.id().epoch(), ReleaseId.ALL, first, next);
  }

  /** Refuses the rows of all groups, or of all epochs, beside those of one. */
  private static void requireApart(
      String what, Function<Release, String> part, String all, Release first, Release next) {
    if (part.apply(first).equals(all) != part.apply(next).equals(all)) {
      throw new IllegalArgumentException(
          "a release of the "
              + what
              + " all has the rows of each "
              + what
              + ", which would count twice. Provided value: "
              + first.id()
              + " and "
              + next.id());
    }
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
