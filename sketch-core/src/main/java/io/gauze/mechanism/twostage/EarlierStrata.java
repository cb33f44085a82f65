package io.gauze.mechanism.twostage;

import io.gauze.mechanism.SketchRequest;
import io.gauze.payload.Payload;
import io.gauze.payload.PayloadParameters;
import java.util.Locale;

/**
 * Reads the headers of releases of {@code residual-strata} from before it transformed rows: moments
 * of encoded rows, and of the strata of a model that was made of them.
 */
final class EarlierStrata {
  /** The relative difference that rounding may make between two widths of one noise. */
  private static final double NEAR = 1e-9;

  private static final String MOMENTS_SIGMA = "momentsSigma";
  private static final String STRATA_SIGMA = "strataSigma";

  private EarlierStrata() {}

  static Payload payload(PayloadParameters header) {
    String name = header.settings().getOrDefault(SketchRequest.RESPONSE, "");
    double widest = Math.max(header.positive(MOMENTS_SIGMA), header.positive(STRATA_SIGMA));
    if (!(Math.abs(widest - header.encodedSigma()) <= NEAR * header.encodedSigma())) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the larger of %s and %s must be the header's sigma, %s. Provided value: %s",
              MOMENTS_SIGMA,
              STRATA_SIGMA,
              header.encodedSigma(),
              widest));
    }
    return new Payload.ResidualStrata(
        header.dimension(),
        SketchRequest.responseIndex(header.schema(), name),
        header.whole("strata", 1, TransformedStrata.MOST_STRATA),
        header.positive(MOMENTS_SIGMA),
        header.positive(STRATA_SIGMA));
  }
}
