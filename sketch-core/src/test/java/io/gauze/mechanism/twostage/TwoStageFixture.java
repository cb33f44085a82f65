package io.gauze.mechanism.twostage;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.mechanism.Fixtures;
import io.gauze.mechanism.SketchRequest;
import io.gauze.model.ModelRows;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import io.gauze.row.RowSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** What the tests of {@code two-stage-moments} share. */
final class TwoStageFixture {
  /** Sums without noise. */
  static final Entropy NONE = Randomness.noiseFreeForTests(1).entropy("none");

  static final RowSchema SCHEMA = Fixtures.numbers(3, 0.5, 1.5);

  /** Sums that write down each question and answer it from rows, or from what was written. */
  static final class Tape implements RowSums {
    private final RowSums answers;
    final List<String> questions = new ArrayList<>();

    Tape(RowSums answers) {
      this.answers = answers;
    }

    @Override
    public SymmetricMatrix encoded() {
      questions.add("encoded");
      return answers.encoded();
    }

    @Override
    public long[] norms(RowTransform transform, int round) {
      questions.add("norms " + round);
      return answers.norms(transform, round);
    }

    @Override
    public long[] moments(RowTransform transform, int round, boolean isLast) {
      questions.add("moments " + round + (isLast ? " last" : ""));
      return answers.moments(transform, round, isLast);
    }
  }

  private TwoStageFixture() {}

  static TwoStageMoments planned(RowSchema schema, Budget budget, Map<String, String> options) {
    return (TwoStageMoments)
        StreamPlan.of(
                Fixtures.request(
                    schema, budget, new SketchRequest("s", TwoStageMoments.NAME, 1.0, options)))
            .sketch("s")
            .mechanism();
  }

  static TwoStageMoments planned(Neighbours neighbours) {
    return planned(SCHEMA, new Budget(1.0, 1e-6, neighbours), Map.of());
  }

  /** Adds rows of {@link #SCHEMA} that lie in a corner of their ranges. */
  static void corner(int rows, Consumer<double[]> add) {
    SplittableRandom random = new SplittableRandom(rows);
    for (int i = 0; i < rows; i++) {
      double x = 0.4 + 0.15 * random.nextGaussian();
      double z = -0.3 + 0.1 * random.nextGaussian();
      add.accept(new double[] {0.5, x, z, 0.2 * x - 0.5 * z + 0.08 * random.nextGaussian()});
    }
  }

  static ModelRows corner(TwoStageMoments planned, int rows) {
    ModelRows list = planned.rows();
    corner(rows, row -> planned.add(list, row));
    return list;
  }

  /** The upper triangle, row by row. */
  static double[] upper(SymmetricMatrix matrix) {
    double[] upper = new double[SymmetricMatrix.length(matrix.dimension())];
    int next = 0;
    for (int i = 0; i < matrix.dimension(); i++) {
      for (int j = i; j < matrix.dimension(); j++) {
        upper[next++] = matrix.get(i, j);
      }
    }
    return upper;
  }

  static double[] values(long... numbers) {
    double[] values = new double[numbers.length];
    for (int k = 0; k < values.length; k++) {
      values[k] = numbers[k] * TwoStageRelease.UNIT;
    }
    return values;
  }
}
