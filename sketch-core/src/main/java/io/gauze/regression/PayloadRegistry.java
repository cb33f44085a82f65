package io.gauze.regression;

import io.gauze.mechanism.Payload;
import io.gauze.release.Release;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds the fits of a payload. A new kind of payload is a new file and a line here. */
final class PayloadRegistry {
  private static final Map<Class<?>, PayloadFits<?>> FITS =
      Stream.<PayloadFits<?>>of(
              new MomentsPayloadFits(),
              new InverseMomentsPayloadFits(),
              new BucketsPayloadFits(),
              new ProjectionPayloadFits(),
              new AdaptiveRidgeProjectionPayloadFits(),
              new WeightedBucketsPayloadFits(),
              new StrataPayloadFits(),
              new ResidualStrataPayloadFits(),
              new RangeCountsPayloadFits(),
              new CountsPayloadFits(),
              new SufficientStatisticsPayloadFits(),
              new SelectedMomentsPayloadFits(),
              new ModelPayloadFits())
          .collect(Collectors.toUnmodifiableMap(PayloadFits::payload, Function.identity()));

  private PayloadRegistry() {}

  /**
   * Returns the input for the rows of a release.
   *
   * @throws IllegalArgumentException if the numbers cannot be those of such a release
   */
  static FitInput input(Release release) {
    return input(release.payload(), new ReleasedNumbers(release));
  }

  private static <P extends Payload> FitInput input(P payload, ReleasedNumbers numbers) {
    return fits(payload).input(payload, numbers);
  }

  /** Returns what fits of releases of a payload will be. */
  static <P extends Payload> Prospect prospect(P payload, NominalModel model) {
    return fits(payload).prospect(payload, model);
  }

  @SuppressWarnings("unchecked") // each is listed under its own class
  private static <P extends Payload> PayloadFits<P> fits(P payload) {
    PayloadFits<?> fits = FITS.get(payload.getClass());
    if (fits == null) {
      throw new IllegalArgumentException("no fits of " + payload.kind() + " are known");
    }
    return (PayloadFits<P>) fits;
  }
}
