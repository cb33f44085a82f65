package io.gauze.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.Allocation;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What holds for every record, tried on many, with values at and beyond the ends. */
class RowEncoderLawTest {
  private static final String[] CUTS = {"Fair", "Good", "Ideal"};
  private static final String[] SEXES = {"Female", "Male", "Other"};
  private static final String[] REGIONS = {"north", "south", "east"};
  private static final double[] EXTREMES = {
    0.0,
    -0.0,
    Double.MIN_VALUE,
    Double.MIN_NORMAL,
    Double.MAX_VALUE,
    -Double.MAX_VALUE,
    1e300,
    -1e300,
    8,
    15,
    8.000000000000002,
    14.999999999999998,
    11.5,
    -20,
    1000,
    490
  };

  private static double number(SplittableRandom random) {
    return random.nextBoolean()
        ? EXTREMES[random.nextInt(EXTREMES.length)]
        : -50 + 1100 * random.nextDouble();
  }

  private static void fill(RowEncoder encoder, SplittableRandom random)
      throws RowRejectedException {
    encoder.begin();
    encoder.number(0, number(random));
    encoder.text(1, CUTS[random.nextInt(3)]);
    encoder.text(2, SEXES[random.nextInt(3)]);
    encoder.text(3, REGIONS[random.nextInt(3)]);
    encoder.number(4, number(random));
  }

  private static long square(EncodedRow row) {
    long square = 0;
    for (int value : row.values()) {
      square += (long) value * value;
    }
    return square;
  }

  /** A million rows altogether. The last bound is the largest norm, whose corners many rows hit. */
  @ParameterizedTest
  @CsvSource({"1, 1", "0.33, 1.7", "0.5, 2", "0.1, 0.3", "1, 2.6457513110645907"})
  void integerNormIsNeverAboveTheBound(double intercept, double rowBound)
      throws RowRejectedException {
    RowSchema schema = Schemas.mixed(intercept, rowBound, MissingValues.REJECT);
    BigDecimal steps =
        new BigDecimal(rowBound).multiply(BigDecimal.valueOf(2).pow(schema.grid().fractionBits()));
    long largest = steps.pow(2).toBigInteger().longValueExact();
    RowEncoder encoder = new RowEncoder(schema);
    EncodedRow row = new EncodedRow(schema.dimension());
    SplittableRandom random = new SplittableRandom(4);
    long seen = 0;
    for (int i = 0; i < 200_000; i++) {
      fill(encoder, random);
      encoder.encode(row);
      seen = Math.max(seen, square(row));
    }
    assertThat(seen).isLessThanOrEqualTo(largest);
    // not by far: a clipped row loses at most a step an entry
    assertThat(Math.sqrt((double) seen)).isGreaterThan(Math.sqrt((double) largest) - Math.sqrt(8));
  }

  @Test
  void withTheLargestNormNoRowIsClippedAndOnesAreWhole() throws RowRejectedException {
    for (double intercept : new double[] {1.0, 0.33, 0.5, 0.7, 0.1}) {
      double bound = RowSchema.largestNorm(Schemas.MIXED, intercept);
      RowSchema schema = Schemas.mixed(intercept, bound, MissingValues.REJECT);
      RowEncoder encoder = new RowEncoder(schema);
      EncodedRow row = new EncodedRow(schema.dimension());
      int one = 1 << schema.grid().fractionBits();
      for (int corner = 0; corner < 64; corner++) {
        encoder.begin();
        encoder.number(0, (corner & 1) == 0 ? 8 : 15);
        encoder.text(1, (corner & 2) == 0 ? "Fair" : "Ideal");
        encoder.text(2, (corner & 4) == 0 ? "Female" : "Male");
        encoder.text(3, (corner & 8) == 0 ? "south" : "east");
        encoder.number(4, (corner & 16) == 0 ? -20 : 1000);
        encoder.encode(row);
        assertThat(row.values()[0]).isEqualTo((int) (intercept * one));
        assertThat(Math.abs(row.values()[1])).isEqualTo(one);
        assertThat(row.values()[5] + row.values()[6]).isEqualTo(one);
        assertThat(Math.abs(row.values()[7])).isEqualTo(one);
      }
      assertThat(encoder.clipped()).isZero();
    }
  }

  /** Also under the largest norm of all columns: factors are no multiples of a grid step. */
  @Test
  void factorsKeepTheBound() throws RowRejectedException {
    List<Double> factors = List.of(0.3, 1.0, 0.07, 1.0 / 3.0, 0.011, 0.9);
    double largest = RowSchema.largestNorm(Schemas.MIXED, factors, 0.1);
    for (double bound : new double[] {largest, 0.6 * largest}) {
      RowSchema schema = Schemas.mixed(0.1, bound, MissingValues.REJECT).withFactors(factors);
      RowEncoder encoder = new RowEncoder(schema);
      EncodedRow row = new EncodedRow(schema.dimension());
      long most = NormBound.of(schema).largestSquare();
      SplittableRandom random = new SplittableRandom(6);
      for (int i = 0; i < 50_000; i++) {
        fill(encoder, random);
        encoder.encode(row);
        assertThat(square(row)).isLessThanOrEqualTo(most);
      }
      assertThat(encoder.clipped() == 0).isEqualTo(bound == largest);
    }
  }

  @Test
  void theSameRecordGivesTheSameIntegers() throws RowRejectedException {
    RowSchema schema = Schemas.mixed(0.33, 1.7, MissingValues.REJECT);
    RowEncoder one = new RowEncoder(schema);
    RowEncoder two = new RowEncoder(schema);
    EncodedRow first = new EncodedRow(8);
    EncodedRow second = new EncodedRow(8);
    SplittableRandom randomOne = new SplittableRandom(5);
    SplittableRandom randomTwo = new SplittableRandom(5);
    for (int i = 0; i < 20_000; i++) {
      fill(one, randomOne);
      one.encode(first);
      fill(two, randomTwo);
      two.encode(second);
      assertThat(first.values()).isEqualTo(second.values());
    }
  }

  /** 200,000 rows take less than a byte each; the counter itself is shown to see 16 bytes a row. */
  @Test
  void acceptedRowsAllocateNothing() throws Exception {
    RowEncoder encoder = new RowEncoder(Schemas.mixed(0.33, 1.7, MissingValues.REJECT));
    EncodedRow row = new EncodedRow(8);
    int rows = 200_000;
    SplittableRandom random = new SplittableRandom(6);
    Allocation.of(() -> encode(encoder, random, row, 1000)); // classes are loaded
    assertThat(Allocation.of(() -> encode(encoder, random, row, rows))).isLessThan(rows);

    Object[] kept = new Object[rows];
    long seen = Allocation.of(() -> Arrays.setAll(kept, i -> new Object()));
    assertThat(kept).doesNotContainNull();
    assertThat(seen).isGreaterThanOrEqualTo(16L * rows);
  }

  private static void encode(RowEncoder encoder, SplittableRandom random, EncodedRow row, int rows)
      throws RowRejectedException {
    for (int i = 0; i < rows; i++) {
      fill(encoder, random);
      encoder.encode(row);
    }
  }
}
