package io.gauze.release;

import io.gauze.accounting.Guarantee;
import io.gauze.internal.Checks;
import io.gauze.mechanism.Cumulative;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.Mechanisms;
import io.gauze.mechanism.ReleaseId;
import io.gauze.noise.Randomness;
import io.gauze.payload.Payload;
import io.gauze.payload.PayloadParameters;
import io.gauze.plan.SketchPlan;
import io.gauze.plan.StreamFingerprints;
import io.gauze.plan.StreamPlan;
import io.gauze.row.RowSchema;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * All of a release but its payload. The values come from the configuration only, never from data.
 *
 * @param sigma the standard deviation of the widest noise, in the unit of the payload
 * @param stepSize one unit of the payload in the encoded scale
 */
public record ReleaseHeader(
    ReleaseId id,
    String encodingVersion,
    RowSchema schema,
    String mechanism,
    Map<String, Double> parameters,
    Map<String, String> settings,
    double stepSize,
    double sigma,
    String noiseLaw,
    Guarantee guarantee) {
  /**
   * The relative difference up to which two standard deviations are equal: machines may differ in
   * the last bits.
   */
  private static final double SAME = 1e-9;

  public ReleaseHeader {
    Objects.requireNonNull(id, "id");
    String expected = StreamFingerprints.encoding(schema);
    if (!encodingVersion.equals(expected)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "encoding version must be %s for these columns. Provided value: %s",
              expected,
              encodingVersion));
    }
    parameters = Collections.unmodifiableMap(new TreeMap<>(parameters));
    parameters.forEach(ReleaseHeader::checkFinite);
    settings = Collections.unmodifiableMap(new TreeMap<>(settings));
    checkPositive("unit", stepSize);
    checkPositive("sigma", sigma);
    Objects.requireNonNull(noiseLaw, "noiseLaw");
    Objects.requireNonNull(guarantee, "guarantee");
  }

  /** Returns the header of a planned release; for cumulative releases that of the last one. */
  public static ReleaseHeader of(StreamPlan plan, ReleaseId id, Randomness randomness) {
    checkStream(plan, id);
    Mechanism mechanism = plan.sketch(id.sketch()).mechanism();
    return of(
        plan,
        mechanism instanceof Cumulative series
            ? series.at(series.releases() - 1, id.epoch())
            : mechanism,
        id,
        randomness);
  }

  private static void checkStream(StreamPlan plan, ReleaseId id) {
    if (!id.stream().equals(plan.stream())) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "release must be of stream %s. Provided value: %s",
              plan.stream(),
              id.stream()));
    }
  }

  public static ReleaseHeader of(
      StreamPlan plan, Mechanism mechanism, ReleaseId id, Randomness randomness) {
    return new ReleaseHeader(
        id,
        plan.encodingVersion(),
        plan.schema(),
        mechanism.name(),
        mechanism.parameters(),
        mechanism.settings(),
        mechanism.stepSize(),
        mechanism.sigma(),
        mechanism.noiseLaw(),
        plan.guarantee(randomness));
  }

  public boolean isOf(StreamPlan plan) {
    return plan.sketches().stream().map(SketchPlan::name).anyMatch(id.sketch()::equals)
        && id.stream().equals(plan.stream())
        && guarantee.budget().equals(plan.budget())
        && guarantee.unit() == plan.request().unit().kind()
        && encodingVersion.equals(plan.encodingVersion())
        && isBy(plan.sketch(id.sketch()).mechanism());
  }

  private boolean isBy(Mechanism planned) {
    Mechanism other =
        planned instanceof Cumulative series ? series.like(parameters, settings) : planned;
    return mechanism.equals(other.name())
        && settings.equals(other.settings())
        && parameters.keySet().equals(other.parameters().keySet())
        && parameters.keySet().stream().allMatch(name -> isNear(name, other))
        && stepSize == other.stepSize()
        && Math.abs(sigma - other.sigma()) <= SAME * sigma;
  }

  private boolean isNear(String name, Mechanism other) {
    double mine = parameters.get(name);
    return name.equals(Mechanism.EXPECTED_ROWS)
        || Math.abs(mine - other.parameters().get(name)) <= SAME * Math.abs(mine);
  }

  /**
   * Returns the kind of the payload and the law of its noise.
   *
   * @throws IllegalArgumentException if a parameter is missing or out of range
   */
  public Payload payload() {
    return Mechanisms.kind(mechanism)
        .payload()
        .apply(
            new PayloadParameters(
                schema, parameters, settings, stepSize, sigma, guarantee.neighbours()));
  }

  private static void checkFinite(String name, double value) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException(
          "parameter " + name + " must be finite. Provided value: " + value);
    }
  }

  private static void checkPositive(String name, double value) {
    Checks.positiveFinite(name, value);
  }
}
