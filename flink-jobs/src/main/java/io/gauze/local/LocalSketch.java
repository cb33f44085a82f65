package io.gauze.local;

import io.gauze.config.EpochSchedule;
import io.gauze.mechanism.ReleaseId;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import io.gauze.plan.SketchPlan;
import io.gauze.plan.StreamPlan;
import io.gauze.release.Release;
import io.gauze.row.EncodedRow;
import io.gauze.row.RowCounts;
import io.gauze.row.RowEncoder;
import io.gauze.row.RowHasher;
import io.gauze.row.RowRejectedException;
import io.gauze.source.RowFields;
import io.gauze.source.RowImage;
import io.gauze.source.json.JsonRowDecoder;
import io.gauze.stream.Block;
import io.gauze.stream.Cell;
import io.gauze.stream.NoiseInjection;
import io.gauze.stream.PartialEpoch;
import io.gauze.stream.SketchJobSettings;
import io.gauze.stream.SketchParts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Map;
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
  private final RowHasher hasher;
  private final double[] scaled;
  private Optional<PartialEpoch> open;
  private Optional<LocalModels> fits = Optional.empty(); // in the second reading
  private Optional<RowCounts> counts = Optional.empty(); // of the first reading, once it is over
  private long added;

  /** Reads the rows once more, for a pass of a fit whose rows do not fit into memory. */
  @FunctionalInterface
  public interface Rows {
    /** Adds all rows to the sketch: the same ones as before, in the same order. */
    void addAgain() throws IOException;
  }

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
    this.hasher = RowHasher.create(entropy::nextLong);
    this.scaled = new double[plan.schema().dimension()];
    this.open =
        Optional.of(
            new PartialEpoch(
                plan, PartialEpoch.batchRows(plan), encoder, Optional.of(hasher.ofBatches())));
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
    if (fits.isPresent()) {
      encoder.scale(scaled);
      addAgain(fits.get());
      return;
    }
    open.orElseThrow(LocalSketch::released).addAt(0, added++);
  }

  /**
   * Adds a row that is already encoded, by the plan's schema.
   *
   * @throws IllegalStateException if the sketches were released
   */
  // A model takes rows that are not clipped to the row bound, where it can get them. Here the rows
  // are clipped already, and a label is that of the clipped response.
  public void add(EncodedRow encoded) {
    if (fits.isPresent()) {
      for (int k = 0; k < scaled.length; k++) {
        scaled[k] = encoded.values()[k] * plan.schema().grid().step();
      }
      addAgain(fits.get());
      return;
    }
    open.orElseThrow(LocalSketch::released).addAt(0, added++, encoded);
  }

  private void addAgain(LocalModels models) {
    if (open.isEmpty() && !models.isInPass()) {
      throw released();
    }
    models.add(scaled);
  }

  /**
   * Returns how many values the encoding has changed so far; complete once the sketches are
   * released.
   */
  public RowCounts counts() {
    return counts.orElseGet(encoder::counts);
  }

  /** Returns true if the rows must be read twice: see {@link #readAgain}. */
  public boolean readsTwice() {
    return readsTwice(plan);
  }

  /** Returns true if sketches of this plan need rows that are read twice. */
  public static boolean readsTwice(StreamPlan plan) {
    return plan.sketches().stream().anyMatch(LocalSketch::readsAgain);
  }

  /**
   * Ends the first reading. The rows that are added from now on, the same as before, are those that
   * models are fitted to, and are kept in memory.
   *
   * @throws IllegalStateException if the second reading has begun, or the sketches were released
   */
  public void readAgain() {
    readAgain(
        Long.MAX_VALUE,
        () -> {
          throw new IllegalStateException("all rows are in memory");
        });
  }

  /**
   * Ends the first reading, as {@link #readAgain()} does, with a limit of memory. Rows of models
   * that do not fit are read again when the sketches are released.
   *
   * @param memory the bytes that the rows of models in memory may take
   * @param rows reads them again
   * @throws IllegalStateException if the second reading has begun, or the sketches were released
   */
  public void readAgain(long memory, Rows rows) {
    if (fits.isPresent()) {
      throw new IllegalStateException("the second reading has begun");
    }
    if (!readsTwice()) {
      throw new IllegalStateException("no sketch reads the rows again");
    }
    PartialEpoch sums = open.orElseThrow(LocalSketch::released);
    LocalModels ofRows = new LocalModels(memory, rows);
    for (ReleaseId id : ids(plan)) {
      SketchParts.of(plan.sketch(id.sketch()).mechanism())
          .ofRows()
          .ifPresent(
              model ->
                  ofRows.begin(id.sketch(), model.begin(randomness.entropy("model of " + id))));
    }
    fits = Optional.of(ofRows);
    sums.settle();
    counts = Optional.of(encoder.counts());
  }

  private static boolean readsAgain(SketchPlan sketch) {
    return SketchParts.of(sketch.mechanism()).ofRows().isPresent();
  }

  /** The models of which the rows did not fit into memory in the second reading. */
  public List<String> modelsReadAgain() {
    return fits.map(LocalModels::readAgain).orElse(List.of());
  }

  /**
   * Returns the releases, in the order of the plan, and drops the exact sums.
   *
   * @throws UncheckedIOException if rows that did not fit into memory cannot be read again
   * @throws ConcurrentModificationException if they have changed
   * @throws IllegalStateException if they were released before, since a second noise on the same
   *     sums would weaken the first; or if the rows must be read twice, and were read once
   */
  public List<Release> release() {
    PartialEpoch sums = open.orElseThrow(LocalSketch::released);
    if (readsTwice() && fits.isEmpty()) {
      throw new IllegalStateException("the rows must be read again: see readAgain()");
    }
    open = Optional.empty();
    Map<String, long[]> fitted = fits.map(LocalModels::numbers).orElse(Map.of());
    List<Release> releases = new ArrayList<>();
    for (ReleaseId id : ids(plan)) {
      long[] state = fitted.containsKey(id.sketch()) ? fitted.get(id.sketch()) : sum(id, sums);
      releases.add(NoiseInjection.release(plan, id, randomness, state));
    }
    return releases;
  }

  /** Returns the sums of a sketch with the noise of new blocks. */
  private long[] sum(ReleaseId id, PartialEpoch sums) {
    SketchPlan sketch = plan.sketch(id.sketch());
    long[] state = new long[sketch.mechanism().spec().stateLength()];
    for (int block = 0; block < Block.count(state.length); block++) {
      byte[] exact = sums.block(new Cell(id.group(), id.sketch(), block));
      byte[] noise = NoiseInjection.newBlock(sketch, block, id, randomness);
      long[] entries = Block.longs(Block.sum(noise, exact));
      System.arraycopy(entries, 0, state, Block.from(block), entries.length);
    }
    return state;
  }

  private static IllegalStateException released() {
    return new IllegalStateException("these sketches have been released");
  }
}
