package io.gauze.mechanism.descent;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.mechanism.Fixtures;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.twostage.RowSums;
import io.gauze.mechanism.twostage.RowTransform;
import io.gauze.mechanism.twostage.TwoStageRelease;
import io.gauze.model.ModelRows;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import io.gauze.row.RowSchema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** What the tests of {@code descent} share. */
final class DescentFixture {
  /** Sums without noise. */
  static final Entropy NONE = Randomness.noiseFreeForTests(1).entropy("none");

  /** Columns x0, x1 and the response x2. */
  static final RowSchema SCHEMA = Fixtures.numbers(3, 0.5, 1.5);

  /** The coefficients of {@link #corner}, of the constant 0.5 too. */
  static final double[] TRUE = {0.1, 0.2, -0.5};

  /** Sums that write down each question and its answer. */
  static final class Tape implements DescentSums, RowSums {
    private final DescentSums answers;
    final List<String> questions = new ArrayList<>();
    final List<Object> answered = new ArrayList<>();

    Tape(DescentSums answers) {
      this.answers = answers;
    }

    private <T> T kept(String question, Supplier<T> answer) {
      questions.add(question);
      T given = answer.get();
      answered.add(given instanceof long[] numbers ? numbers.clone() : given);
      return given;
    }

    @Override
    public RowSums first() {
      return this;
    }

    @Override
    public SymmetricMatrix encoded() {
      return kept("encoded", () -> answers.first().encoded());
    }

    @Override
    public long[] norms(RowTransform transform, int round) {
      return kept("norms " + round, () -> answers.first().norms(transform, round));
    }

    @Override
    public long[] moments(RowTransform transform, int round, boolean isLast) {
      return kept("moments " + round, () -> answers.first().moments(transform, round, isLast));
    }

    @Override
    public long[] sizes(RowGradient gradient) {
      return kept("sizes", () -> answers.sizes(gradient));
    }

    @Override
    public long[] residuals(RowTransform transform) {
      return kept("residuals", () -> answers.residuals(transform));
    }

    @Override
    public long[] gradient(RowGradient gradient, int rounds) {
      return kept("gradient " + rounds, () -> answers.gradient(gradient, rounds));
    }
  }

  /** Sums that answer what was answered before, without any rows. */
  static final class Replay implements DescentSums, RowSums {
    private final Iterator<Object> answers;

    Replay(List<Object> answers) {
      this.answers = answers.iterator();
    }

    @Override
    public RowSums first() {
      return this;
    }

    @Override
    public SymmetricMatrix encoded() {
      return (SymmetricMatrix) answers.next();
    }

    @Override
    public long[] norms(RowTransform transform, int round) {
      return (long[]) answers.next();
    }

    @Override
    public long[] moments(RowTransform transform, int round, boolean isLast) {
      return (long[]) answers.next();
    }

    @Override
    public long[] sizes(RowGradient gradient) {
      return (long[]) answers.next();
    }

    @Override
    public long[] residuals(RowTransform transform) {
      return (long[]) answers.next();
    }

    @Override
    public long[] gradient(RowGradient gradient, int rounds) {
      return (long[]) answers.next();
    }
  }

  private DescentFixture() {}

  static DescentModel planned(RowSchema schema, Budget budget, Map<String, String> options) {
    return planned(DescentModel.NAME, schema, budget, options);
  }

  /** The model of a mechanism. */
  static DescentModel planned(
      String mechanism, RowSchema schema, Budget budget, Map<String, String> options) {
    return (DescentModel)
        StreamPlan.of(
                Fixtures.request(schema, budget, new SketchRequest("m", mechanism, 1.0, options)))
            .sketch("m")
            .mechanism();
  }

  static DescentModel planned(Budget budget) {
    return planned(SCHEMA, budget, Map.of("response", "x2"));
  }

  static DescentModel planned(Neighbours neighbours) {
    return planned(new Budget(1.0, 1e-6, neighbours));
  }

  /** Rows of {@link #SCHEMA} that lie in a corner of their ranges. */
  static ModelRows corner(DescentModel planned, int rows) {
    ModelRows list = planned.rows();
    SplittableRandom random = new SplittableRandom(rows);
    for (int i = 0; i < rows; i++) {
      double x = 0.4 + 0.15 * random.nextGaussian();
      double z = -0.3 + 0.1 * random.nextGaussian();
      double y = TRUE[0] * 0.5 + TRUE[1] * x + TRUE[2] * z + 0.08 * random.nextGaussian();
      planned.add(list, 0.5, x, z, y);
    }
    return list;
  }

  /** The gradient of rows as they are, the last entry being the residual. */
  static RowGradient plain(int dimension, double unit, double... model) {
    double[] change = Arrays.copyOf(model, dimension - 1);
    double[] lower = new double[SymmetricMatrix.length(dimension)];
    for (int i = 0; i < dimension; i++) {
      lower[(i + 1) * (i + 2) / 2 - 1] = 1.0;
    }
    RowTransform same = RowTransform.of(dimension, dimension - 1, lower);
    return new RowGradient(same, DoubleVector.of(change), new RowWeight.OfSquares(unit));
  }

  static double[] counts(long... numbers) {
    return Arrays.stream(numbers).mapToDouble(each -> each * TwoStageRelease.UNIT).toArray();
  }

  static double[] gradients(long... numbers) {
    return Arrays.stream(numbers).mapToDouble(each -> each * DescentPlan.UNIT).toArray();
  }
}
