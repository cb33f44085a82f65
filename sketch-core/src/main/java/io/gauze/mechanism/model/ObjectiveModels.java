package io.gauze.mechanism.model;

import io.gauze.accounting.UnitKind;
import io.gauze.mechanism.MechanismKind;
import io.gauze.mechanism.MechanismOption;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.model.ObjectiveSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** What models of an objective with a random linear term have in common. */
public final class ObjectiveModels {
  public static final String FEATURE_BOUND = "featureBound";
  public static final String GRADIENT = "gradientSigma";
  public static final String RIDGE = "ridge";
  static final double LEAST_BOUND = 0x1p-6;
  static final double LARGEST_BOUND = 0x1p8;

  static final MechanismKind.Proof PROOF =
      new MechanismKind.Proof(
          "the gradient of the loss of one row has at most the norm of its clipped features times"
              + " the slope of the loss, and its second derivative is bounded; a random linear term"
              + " and a ridge hide both, and noise on the coefficients hides what the solver is off"
              + " by",
          List.of(),
          false);

  /** The part of delta of pure noise, of which the samplers need less than 2^-80. */
  private static final double PURE_DELTA = 1e-3;

  /** Larger ones protect nobody, and leave no ridge. */
  private static final double LARGEST_EPSILON = 20.0;

  private static final String READ_AGAIN = "which reads the rows of an epoch again";

  private ObjectiveModels() {}

  public static MechanismOption bound() {
    return MechanismOption.number(FEATURE_BOUND, LEAST_BOUND, LARGEST_BOUND)
        .means("The norm to which the features of a row are shortened, in the encoded scale.");
  }

  /**
   * Checks unit and epsilon.
   *
   * @param reason why a unit of several rows is refused
   * @throws IllegalArgumentException if a model cannot have them
   */
  public static void check(StreamRequest stream, String name, String reason) {
    requireRows(stream, name, reason);
    if (stream.budget().epsilon() > LARGEST_EPSILON) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "epsilon must be at most %s for %s. Provided value: %s",
              LARGEST_EPSILON,
              name,
              stream.budget().epsilon()));
    }
  }

  /** Checks unit and epsilon of a model that reads rows again, as the other one does. */
  public static void check(StreamRequest stream, String name) {
    check(stream, name, READ_AGAIN);
  }

  /** Checks the unit of a model that reads rows again, as the other one does. */
  public static void requireRows(StreamRequest stream, String name) {
    requireRows(stream, name, READ_AGAIN);
  }

  /**
   * Checks the unit.
   *
   * @param reason why a unit of several rows is refused
   * @throws IllegalArgumentException if it is no row
   */
  private static void requireRows(StreamRequest stream, String name, String reason) {
    if (stream.unit().kind() != UnitKind.ROW) {
      throw new IllegalArgumentException(
          "privacy.unit must be row for "
              + name
              + ", "
              + reason
              + ". Provided value: "
              + stream.unit().description());
    }
  }

  /**
   * Returns the fixed delta of a model.
   *
   * @param pure whether it pays for samplers alone
   */
  public static double ownDelta(StreamRequest stream, SketchRequest sketch, boolean pure) {
    double all = stream.sketches().stream().mapToDouble(SketchRequest::weight).sum();
    double delta = stream.ownDelta() * sketch.weight() / all;
    return delta * (pure ? PURE_DELTA : 1.0 - PURE_DELTA);
  }

  /**
   * Returns the shares of the determinant that a model may plan: the default, and smaller ones
   * where the ranges of all columns are public.
   */
  // Cells of one series must have the same share, and a series is named before its ranges are
  // chosen, if they are chosen from rows. So no share may depend on chosen ranges.
  static List<Double> shares(StreamRequest stream, Double... smaller) {
    List<Double> shares = new ArrayList<>(List.of(ObjectiveSpec.DETERMINANT_SHARE));
    if (!stream.ranges().counts()) {
      shares.addAll(List.of(smaller));
    }
    return shares;
  }

  static IllegalArgumentException tooManyExpected(long most, long expectedRows) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "expectedRows must be at most %,d, half of the rows that the model allows at this"
                + " epsilon; make epochs shorter or epsilon smaller. Provided value: %,d",
            most,
            expectedRows));
  }

  /**
   * Describes the law of the noise in words.
   *
   * @param linear the law of the linear term
   * @param scale of the noise that hides the solver
   */
  public static String noiseLaw(String linear, double scale) {
    return "a random linear term in the objective, "
        + linear
        + "; rounded Laplace noise of scale "
        + scale
        + " on each coefficient";
  }

  /** The bits of numbers that decide the loss of a row, the higher half of each first. */
  public static List<Integer> bits(double... values) {
    return Arrays.stream(values)
        .mapToLong(Double::doubleToLongBits)
        .boxed()
        .flatMap(bits -> Stream.of((int) (bits >>> Integer.SIZE), (int) (long) bits))
        .toList();
  }
}
