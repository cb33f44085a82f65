package io.gauze.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.job.StreamFixture;
import io.gauze.mechanism.EpochFitter;
import io.gauze.mechanism.SecondReadingMechanism;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import io.gauze.release.Release;
import io.gauze.row.EncodedRow;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowSchema;
import io.gauze.row.RowTag;
import io.gauze.sketch.LinearSketch;
import io.gauze.stream.Block;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The sums of a local sketch, and that its noise is there, in every block. */
final class LocalSketchTest {
  private static final int ROWS = 3000;

  private static StreamPlan plan() {
    return StreamPlan.of(
        new StreamRequest(
            "local",
            StreamFixture.schema(),
            new Budget(1, 1e-6, Neighbours.REPLACE_ONE),
            StreamRequest.ROW,
            10_000,
            List.of(),
            List.of(
                new SketchRequest("moments", "noisy-moments", 1, Map.of()),
                new SketchRequest("buckets", "count-sketch", 1, Map.of("buckets", "8192")))));
  }

  private static List<Release> releases(Randomness randomness) throws Exception {
    LocalSketch sketch = new LocalSketch(plan(), randomness);
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < ROWS; i++) {
      sketch.add(StreamFixture.row(random).getBytes(UTF_8));
    }
    return sketch.release();
  }

  /** Without noise the intercept's entry counts the rows: 3000 times the constant's square. */
  @Test
  void withoutNoiseTheSumsAreExact() throws Exception {
    List<Release> exact = releases(Randomness.noiseFreeForTests(1));
    Release moments = exact.get(0);
    double constant = 1.0 / moments.schema().half(0);
    assertThat(moments.value(0)).isEqualTo(ROWS * constant * constant);
    assertThat(exact)
        .extracting(release -> release.id().toString())
        .containsExactly("local/all/all/moments", "local/all/all/buckets");
  }

  /**
   * The noise of an entry is normal with a standard deviation of more than 10,000 steps, so that it
   * is 0 with probability below 4e-5: in 32,768 entries once or twice, and 100 times with
   * probability below 1e-100. A block without noise would have thousands.
   */
  @Test
  void everyBlockHasItsNoise() throws Exception {
    long[] exact = releases(Randomness.noiseFreeForTests(1)).get(1).numbers();
    long[] noisy = releases(Randomness.insecureForTests(1)).get(1).numbers(); // the same buckets
    long[] fresh = releases(Randomness.SYSTEM).get(1).numbers();
    int bare = 0;
    int same = 0;
    for (int i = 0; i < exact.length; i++) {
      bare += noisy[i] == exact[i] ? 1 : 0;
      same += noisy[i] == fresh[i] ? 1 : 0;
    }
    assertThat(exact).hasSizeGreaterThan(Block.MAX_LONGS);
    assertThat(bare).isLessThan(100);
    assertThat(same).isLessThan(100);
  }

  private static StreamPlan twice(RowSchema schema, int strata) {
    Map<String, String> options = Map.of("strata", Integer.toString(strata));
    return StreamPlan.of(
        new StreamRequest(
            "local",
            schema,
            new Budget(1, 1e-6, Neighbours.REPLACE_ONE),
            StreamRequest.ROW,
            10_000,
            List.of(),
            List.of(
                new SketchRequest("moments", "noisy-moments", 1, Map.of()),
                new SketchRequest("residual", "residual-strata", 1, options))));
  }

  /** More rows than two batches hold; the other sketch has those of the first reading alone. */
  @Test
  void eachReadingHasAllRows() {
    StreamPlan plan = twice(StreamFixture.schema(), 3);
    List<EncodedRow> rows = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(8);
    for (int i = 0; i < ROWS; i++) {
      EncodedRow row = new EncodedRow(4);
      Arrays.setAll(row.values(), k -> k == 0 ? 1 << 14 : random.nextInt(-8000, 8000));
      rows.add(row);
    }
    LocalSketch sketch = new LocalSketch(plan, Randomness.noiseFreeForTests(1));
    assertThat(sketch.readsTwice()).isTrue();
    rows.forEach(sketch::add);
    sketch.readAgain();
    rows.forEach(sketch::add);
    List<Release> releases = sketch.release();

    LinearSketch<?> first = plan.sketch("moments").mechanism().spec().zero();
    rows.forEach(row -> first.add(new RowTag(), row, 1));
    assertThat(releases.get(0).numbers()).isEqualTo(first.state());
    EpochFitter fit =
        ((SecondReadingMechanism) plan.sketch("residual").mechanism())
            .begin(Randomness.noiseFreeForTests(1).entropy("model"));
    double step = plan.schema().grid().step();
    rows.forEach(row -> fit.add(Arrays.stream(row.values()).mapToDouble(k -> k * step).toArray()));
    assertThat(releases.get(1).numbers()).isEqualTo(fit.numbers());
  }

  /** Without rows, all that there is is noise; 0 is as rare as above. */
  @Test
  void everyStratumHasItsNoise() {
    List<NumericColumn> columns =
        IntStream.range(0, 7).mapToObj(i -> new NumericColumn("x" + i, -1, 1)).toList();
    StreamPlan plan = twice(RowSchema.of(columns, 1.0, 2.0, MissingValues.REJECT), 1024);
    LocalSketch sketch = new LocalSketch(plan, Randomness.insecureForTests(3));
    sketch.readAgain();
    long[] numbers = sketch.release().get(1).numbers();
    long[] strata = Arrays.copyOfRange(numbers, numbers.length - 1024 * 36, numbers.length);
    assertThat(strata).hasSizeGreaterThan(2 * Block.MAX_LONGS);
    assertThat(Arrays.stream(strata).filter(entry -> entry == 0).count()).isLessThan(100);
    assertThat(Arrays.stream(strata).distinct().count()).isGreaterThan(strata.length - 100);
  }

  @Test
  void readingsHaveTheirOrder() {
    LocalSketch sketch = new LocalSketch(twice(StreamFixture.schema(), 2), Randomness.SYSTEM);
    assertThatThrownBy(sketch::release)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the rows must be read again: see readAgain()");
    sketch.readAgain();
    assertThatThrownBy(sketch::readAgain)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the second reading has begun");
    sketch.release();
    assertThatThrownBy(sketch::release).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(sketch::readAgain).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> sketch.add(new EncodedRow(4)))
        .isInstanceOf(IllegalStateException.class);
    assertThat(new LocalSketch(plan(), Randomness.SYSTEM).readsTwice()).isFalse();
  }

  /** Values outside of a range are counted once. */
  @Test
  void theFirstReadingCounts() throws Exception {
    LocalSketch sketch = new LocalSketch(twice(StreamFixture.schema(), 2), Randomness.SYSTEM);
    byte[] row = "{\"a\":2,\"b\":5,\"y\":0}".getBytes(UTF_8);
    sketch.add(row);
    sketch.readAgain();
    sketch.add(row);
    sketch.release();
    assertThat(sketch.counts().rows()).isEqualTo(1);
    assertThat(sketch.counts().clamped()).containsEntry("a", 1L);
  }

  @Test
  void isReleasedOnce() {
    LocalSketch sketch = new LocalSketch(plan(), Randomness.SYSTEM);
    sketch.release();
    assertThatThrownBy(sketch::release).isInstanceOf(IllegalStateException.class);
    byte[] row = StreamFixture.row(new SplittableRandom(5)).getBytes(UTF_8);
    assertThatThrownBy(() -> sketch.add(row)).isInstanceOf(IllegalStateException.class);
  }
}
