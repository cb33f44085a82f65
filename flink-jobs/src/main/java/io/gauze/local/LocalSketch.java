package io.gauze.local;

import io.gauze.config.EpochSchedule;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.SketchPlan;
import io.gauze.mechanism.StreamPlan;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import io.gauze.release.Release;
import io.gauze.row.EncodedRow;
import io.gauze.row.RowCounts;
import io.gauze.row.RowEncoder;
import io.gauze.row.RowHasher;
import io.gauze.row.RowRejectedException;
import io.gauze.source.JsonRowDecoder;
import io.gauze.source.RowFields;
import io.gauze.source.RowImage;
import io.gauze.stream.Block;
import io.gauze.stream.Cell;
import io.gauze.stream.NoiseInjection;
import io.gauze.stream.PartialEpoch;
import io.gauze.stream.SketchJobSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Does the work of the sketch job in this thread and in memory: rows in, one release of every
 * sketch out, with the one epoch {@code all}. It has no ledger, so sketching the same rows twice
 * spends their budget twice. Not thread-safe.
 */
public final class LocalSketch {
  private static final long EPOCH = 0;

  private final StreamPlan plan;
  private final Randomness randomness;
  private final JsonRowDecoder decoder;
  private final RowImage image;
  private final RowEncoder encoder;
  private Optional<PartialEpoch> open;
  private long added;

  /**
   * Creates empty sketches.
   *
   * @param randomness the source of noise and secrets: {@link Randomness#SYSTEM} except in tests
   */
  public LocalSketch(StreamPlan plan, Randomness randomness) {
    this.plan = plan;
    this.randomness = randomness;
    RowFields fields = RowFields.of(plan.schema(), List.of());
    this.decoder = new JsonRowDecoder(fields);
    this.encoder = new RowEncoder(plan.schema());
    this.image = new RowImage(fields, encoder);
    Entropy entropy = randomness.entropy("row hashes");
    RowHasher hasher = RowHasher.create(entropy::nextLong);
    this.open = Optional.of(new PartialEpoch(plan, encoder, Optional.of(hasher.ofBatches())));
  }

  /** Returns the ids of the releases to come, in the order of the plan. */
  public static List<ReleaseId> ids(StreamPlan plan) {
    return plan.sketches().stream()
        .map(
            sketch ->
                new ReleaseId(
                    plan.stream(),
                    SketchJobSettings.NO_GROUP,
                    EpochSchedule.all().label(EPOCH),
                    sketch.name()))
        .toList();
  }

  /**
   * Adds a row.
   *
   * @param json the row in the form of a record of the rows topic
   * @throws RowRejectedException if it cannot be decoded or encoded; nothing is added then. The
   *     message contains no value
   * @throws IllegalStateException if the sketches were released
   */
  public void add(byte[] json) throws RowRejectedException {
    decoder.decode(json, image);
    image.accept();
    open.orElseThrow(LocalSketch::released).addAt(0, added++);
  }

  /**
   * Adds a row that is already encoded, by the plan's schema.
   *
   * @throws IllegalStateException if the sketches were released
   */
  public void add(EncodedRow encoded) {
    open.orElseThrow(LocalSketch::released).addAt(0, added++, encoded);
  }

  /**
   * Returns how many values the encoding has changed so far; complete once the sketches are
   * released.
   */
  public RowCounts counts() {
    return encoder.counts();
  }

  /**
   * Returns the releases, in the order of the plan, and drops the exact sums.
   *
   * @throws IllegalStateException if they were released before: a second noise on the same sums
   *     would weaken the first
   */
  public List<Release> release() {
    PartialEpoch sums = open.orElseThrow(LocalSketch::released);
    open = Optional.empty();
    List<Release> releases = new ArrayList<>();
    for (ReleaseId id : ids(plan)) {
      releases.add(NoiseInjection.release(plan, id, randomness, state(id, sums)));
    }
    return releases;
  }

  private long[] state(ReleaseId id, PartialEpoch sums) {
    SketchPlan sketch = plan.sketch(id.sketch());
    long[] state = new long[sketch.mechanism().spec().stateLength()];
    for (int block = 0; block < Block.count(state.length); block++) {
      byte[] noise = NoiseInjection.newBlock(sketch, block, id, randomness);
      byte[] exact = sums.block(new Cell(id.group(), sketch.name(), block));
      long[] entries = Block.longs(Block.sum(noise, exact));
      System.arraycopy(entries, 0, state, Block.from(block), entries.length);
    }
    return state;
  }

  private static IllegalStateException released() {
    return new IllegalStateException("these sketches have been released");
  }
}
