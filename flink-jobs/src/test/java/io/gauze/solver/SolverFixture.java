package io.gauze.solver;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.answer.BodyHash;
import io.gauze.answer.ReleaseFeed;
import io.gauze.answer.ReleaseTopic;
import io.gauze.local.LocalSketch;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import io.gauze.release.Release;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** Releases of a small stream, y = 0.5 a - 0.25 b + noise, and a feed of them in memory. */
public final class SolverFixture {
  public static final String STREAM = "small";

  private SolverFixture() {}

  public static StreamPlan plan(String stream) {
    List<NumericColumn> columns =
        List.of(
            new NumericColumn("a", "a", -1, 1),
            new NumericColumn("b", "b", -1, 1),
            new NumericColumn("y", "y", -2, 2));
    return StreamPlan.of(
        new StreamRequest(
            stream,
            RowSchema.of(List.copyOf(columns), 1.0, 2.0, MissingValues.REJECT),
            new Budget(20, 1e-6, Neighbours.REPLACE_ONE),
            StreamRequest.ROW,
            1000,
            List.of(),
            List.of(
                new SketchRequest("moments", "noisy-moments", 1, Map.of()),
                new SketchRequest("strata", "stratified-moments", 1, Map.of("stratifyBy", "y")))));
  }

  /** A release of 1,000 rows, the same for the same arguments. */
  public static Release release(String stream, String epoch, String sketch, long seed) {
    return release(stream, epoch, sketch, seed, 1000);
  }

  public static Release release(String stream, String epoch, String sketch, long seed, int rows) {
    StreamPlan plan = plan(stream);
    Randomness randomness = Randomness.insecureForTests(seed);
    LocalSketch local = new LocalSketch(plan, randomness);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < rows; i++) {
      add(local, random);
    }
    Release any =
        local.release().stream()
            .filter(release -> release.id().sketch().equals(sketch))
            .findFirst()
            .orElseThrow();
    return Release.of(
        plan, new ReleaseId(stream, ReleaseId.ALL, epoch, sketch), randomness, any.numbers());
  }

  private static void add(LocalSketch local, SplittableRandom random) {
    double a = random.nextDouble(-1, 1);
    double b = random.nextDouble(-1, 1);
    double y = 0.5 * a - 0.25 * b + 0.1 * random.nextDouble(-1, 1);
    try {
      local.add(
          String.format(Locale.ROOT, "{\"a\":%.6f,\"b\":%.6f,\"y\":%.6f}", a, b, y)
              .getBytes(UTF_8));
    } catch (RowRejectedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static String epoch(int hour) {
    return String.format(Locale.ROOT, "2026-01-01T%02d:00:00Z", hour);
  }

  public static String id(int hour, String sketch) {
    return STREAM + "/all/" + epoch(hour) + "/" + sketch;
  }

  public static RequestRecord record(String key, String json) {
    return RequestRecord.of(
        0, 0, Optional.of(key.getBytes(UTF_8)), Optional.of(json.getBytes(UTF_8)));
  }

  public static JsonNode json(Answer answer) {
    try {
      return JsonMapper.builder().build().readTree(answer.json());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A topic in memory; what was published is told once to each reader's next call. */
  public static final class MemoryFeed implements ReleaseFeed {
    private record Entry(Optional<Release> release, Optional<ReleaseTopic.Damage> damage) {}

    private final List<Entry> log = new ArrayList<>();
    private final List<Integer> deleted = new ArrayList<>();
    private int told;
    private int fetches;
    private boolean broken;

    public void publish(Release release) {
      log.add(new Entry(Optional.of(release), Optional.empty()));
    }

    public void damage(Optional<String> key, Optional<ReleaseId> contested) {
      log.add(
          new Entry(
              Optional.empty(),
              Optional.of(new ReleaseTopic.Damage(0, log.size(), key, "broken", contested))));
    }

    public void delete(int offset) {
      deleted.add(offset);
    }

    /** From now on reading a release fails as only a fault of the program can. */
    public void breakFetches() {
      broken = true;
    }

    public int fetches() {
      return fetches;
    }

    /** A reader that begins at the beginning. */
    public MemoryFeed again() {
      MemoryFeed other = new MemoryFeed();
      other.log.addAll(log);
      return other;
    }

    @Override
    public void readToEnd(ReleaseTopic.Reader reader) {
      for (; told < log.size(); told++) {
        Entry entry = log.get(told);
        int offset = told;
        entry.release().ifPresent(release -> tell(reader, release, offset));
        entry.damage().ifPresent(reader::damaged);
      }
    }

    private void tell(ReleaseTopic.Reader reader, Release release, int offset) {
      ReleaseTopic.Place place =
          new ReleaseTopic.Place(
              release.id(),
              0,
              offset,
              100,
              release.payload().length(),
              BodyHash.of(release.toBytes()));
      if (log.subList(0, offset).stream().anyMatch(each -> isOf(each, release))) {
        reader.copy(release, place);
      } else {
        reader.release(release, place);
      }
    }

    private static boolean isOf(Entry entry, Release release) {
      return entry.release().filter(before -> before.id().equals(release.id())).isPresent();
    }

    @Override
    public void readOn(ReleaseTopic.Reader reader, Duration patience) {
      readToEnd(reader);
    }

    @Override
    public void fetch(List<ReleaseTopic.Place> places, Consumer<Release> taker) {
      fetches++;
      if (broken) {
        throw new IndexOutOfBoundsException("secret");
      }
      places.stream()
          .map(place -> (int) place.offset())
          .filter(offset -> !deleted.contains(offset))
          .map(offset -> log.get(offset).release().orElseThrow())
          .forEach(taker);
    }

    @Override
    public void close() {}
  }
}
