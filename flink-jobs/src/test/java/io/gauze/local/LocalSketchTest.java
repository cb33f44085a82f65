package io.gauze.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.job.StreamFixture;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamPlan;
import io.gauze.mechanism.StreamRequest;
import io.gauze.noise.Randomness;
import io.gauze.release.Release;
import io.gauze.stream.Block;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
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

  @Test
  void isReleasedOnce() {
    LocalSketch sketch = new LocalSketch(plan(), Randomness.SYSTEM);
    sketch.release();
    assertThatThrownBy(sketch::release).isInstanceOf(IllegalStateException.class);
    byte[] row = StreamFixture.row(new SplittableRandom(5)).getBytes(UTF_8);
    assertThatThrownBy(() -> sketch.add(row)).isInstanceOf(IllegalStateException.class);
  }
}
