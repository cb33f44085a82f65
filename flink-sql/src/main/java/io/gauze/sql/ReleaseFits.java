package io.gauze.sql;

import io.gauze.answer.ReleaseRange;
import io.gauze.fit.BestFit;
import io.gauze.fit.FitQuestion;
import io.gauze.fit.FitReport;
import io.gauze.fit.FitSource;
import io.gauze.fit.Term;
import io.gauze.internal.Checks;
import io.gauze.message.FitMessage;
import io.gauze.message.Message;
import io.gauze.release.Release;
import io.gauze.report.ServiceMessage;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Fits the releases of values, and keeps what it has prepared of the last ones. Answers are those
 * of the HTTP service, to the last digit. Not thread-safe.
 */
final class ReleaseFits {
  /** A query asks a few questions of each release, one row after the other. */
  private static final int KEPT = 8;

  private final Map<ByteBuffer, FitSource> sources =
      new LinkedHashMap<>(2 * KEPT, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ByteBuffer, FitSource> eldest) {
          return size() > KEPT;
        }
      };

  /**
   * Returns the fit of a question. A release without signal has none, unless strict is given and
   * false.
   *
   * @param value a release, or several of {@link ReleaseBundle}; null if there is none
   * @throws RefusedException if there is no fit
   */
  BestFit fit(byte[] value, SqlQuestion asked) throws RefusedException {
    FitQuestion question = asked.checked();
    if (value == null) {
      throw RefusedException.of(
          ServiceMessage.NORELEASE, "body must be that of a release. Provided value: NULL");
    }
    FitSource source = source(value);
    BestFit fit;
    try {
      question.checkColumns(source.schema(), asked);
      fit = BestFit.of(List.of(source), question);
    } catch (IllegalArgumentException e) {
      throw RefusedException.of(ServiceMessage.COLUMN, e.getMessage());
    }
    if (fit.best().isEmpty()) {
      throw RefusedException.of(ServiceMessage.UNANSWERABLE, fit.reasons("; "));
    }
    if (!asked.allowsEmpty()) {
      checkNotEmpty(fit.best().get());
    }
    return fit;
  }

  // Over HTTP a warning stands beside such a fit. A table of coefficients would be read without it.
  private static void checkNotEmpty(BestFit.Attempt attempt) throws RefusedException {
    for (Message message : attempt.fit().orElseThrow().warnings()) {
      if (message.code().equals(FitMessage.EMPTY.code())) {
        throw RefusedException.of(
            ServiceMessage.UNANSWERABLE, attempt.source().name() + ": " + message.text());
      }
    }
  }

  /**
   * Returns the report of a fit, with intervals of the level that the question has.
   *
   * @throws RefusedException if there is no fit, or the level is not in (0, 1)
   */
  FitReport report(byte[] value, SqlQuestion asked) throws RefusedException {
    double level = level(asked);
    BestFit fit = fit(value, asked);
    return fit.report(asked.checked().userUnits(), level);
  }

  /**
   * Returns the level of intervals of a question; the usual one if it has none.
   *
   * @throws RefusedException if it is not in (0, 1)
   */
  static double level(SqlQuestion asked) throws RefusedException {
    try {
      return Checks.inOpenUnit("level", asked.number("level").orElse(Term.USUAL_LEVEL));
    } catch (IllegalArgumentException e) {
      throw RefusedException.of(ServiceMessage.REQUEST, e.getMessage());
    }
  }

  private FitSource source(byte[] value) throws RefusedException {
    ByteBuffer key = ByteBuffer.wrap(value);
    FitSource known = sources.get(key);
    if (known != null) {
      return known;
    }
    FitSource.Sum sum = new FitSource.Sum();
    try {
      ReleaseBundle.releases(value).stream()
          .map(Release::fromBytes)
          .sorted(Comparator.comparing(release -> release.id().epoch(), ReleaseRange.BY_EPOCH))
          .forEach(sum::add);
    } catch (IllegalArgumentException e) {
      throw RefusedException.of(ServiceMessage.DAMAGED, e.getMessage());
    }
    FitSource source = sum.source();
    sources.put(key, source);
    return source;
  }
}
