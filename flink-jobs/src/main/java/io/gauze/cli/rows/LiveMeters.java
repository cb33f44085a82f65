package io.gauze.cli.rows;

import io.gauze.config.ConfigException;
import io.gauze.config.ConfiguredStream;
import io.gauze.config.EpochSchedule;
import io.gauze.config.JobStreams;
import io.gauze.config.KafkaSettings;
import io.gauze.config.StreamConfig;
import io.gauze.local.Causes;
import io.gauze.local.CloseAtExit;
import io.gauze.report.AdvisedStream;
import io.gauze.source.file.SmartMeters;
import io.gauze.topic.KafkaAccess;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Made-up readings of smart meters that flow into a topic until it is closed, for {@code gauze up}
 * without a config. Thread-safe.
 */
public final class LiveMeters implements AutoCloseable {
  /** The response of the built-in stream. */
  public static final String RESPONSE = "kwh";

  /** The page of the console that shows how intervals get shorter with every epoch. */
  public static final String QUESTION = "#/fit?epochs=all";

  /** What happens now, for people. */
  public static final String WHAT =
      "Made-up readings of smart meters flow in, some 2,000 a second. The first release comes in"
          + " about 20 s, then one every 15 s.";

  /** The system property by which tests shorten the epoch, an ISO 8601 duration. */
  public static final String EPOCH = "gauze.up.epoch";

  private static final String USUAL_EPOCH = "PT15S";
  private static final String CONFIG = "up.yaml";
  private static final double FAULTY = 0.005;
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final long ROWS_A_MILLISECOND = 2;

  private final TopicSender sender;
  private final long firstEpoch;
  private final long since;
  private final SmartMeters meters =
      new SmartMeters(Long.MAX_VALUE, FAULTY, new SplittableRandom().nextLong());
  private final CountDownLatch closing = new CountDownLatch(1);
  private final CompletableFuture<Void> end = new CompletableFuture<>();
  private final Thread thread = new Thread(this::run, "gauze-meters");

  private LiveMeters(TopicSender sender, long firstEpoch, long since) {
    this.sender = sender;
    this.firstEpoch = firstEpoch;
    this.since = since;
  }

  /** Returns the built-in stream. */
  public static JobStreams stream() throws IOException, ConfigException {
    StreamConfig stream = StreamConfig.parse(CONFIG, yaml());
    return new JobStreams(List.of(Path.of(CONFIG)), List.of(stream));
  }

  /** Returns the built-in stream to give advice on. */
  public static AdvisedStream advised() throws IOException, ConfigException {
    return ConfiguredStream.parse(CONFIG, yaml());
  }

  private static String yaml() throws IOException {
    try (InputStream text = LiveMeters.class.getResourceAsStream(CONFIG)) {
      String yaml = new String(text.readAllBytes(), StandardCharsets.UTF_8);
      return yaml.replace(USUAL_EPOCH, System.getProperty(EPOCH, USUAL_EPOCH));
    }
  }

  /**
   * Starts to send readings to the stream's topic, those of the first epoch first. If that epoch
   * has begun already, the readings since then are made up for.
   *
   * @param stream its topic of rows exists
   * @throws IOException if no producer can be created
   */
  public static LiveMeters start(StreamConfig stream) throws IOException {
    KafkaSettings kafka = stream.kafka();
    KafkaAccess broker = new KafkaAccess(kafka.bootstrap().orElseThrow(), Map.of());
    TopicSender sender = new TopicSender(broker, kafka.topics().rows());
    EpochSchedule epochs = stream.epochs();
    long first = firstEpoch(epochs, System.currentTimeMillis());
    LiveMeters live = new LiveMeters(sender, first, first * epochs.lengthMillis());
    CloseAtExit.register(live);
    live.thread.setDaemon(true);
    live.thread.start();
    return live;
  }

  /**
   * Returns the first epoch to fill: the current one, or the next one if less than half of the
   * current one is left. A row counts in the epoch in which the broker appends it, so the readings
   * that are made up for must all be appended before the epoch ends.
   */
  public static long firstEpoch(EpochSchedule epochs, long now) {
    return epochs.epochOf(now + epochs.lengthMillis() / 2);
  }

  /** The first epoch, which is as full as the later ones. */
  public long firstEpoch() {
    return firstEpoch;
  }

  /** Completes when no more readings come: with {@link Unsent} if one could not be sent. */
  public CompletableFuture<Void> end() {
    return end;
  }

  private void run() {
    long sent = 0;
    try (sender) {
      do {
        long due = (System.currentTimeMillis() - since) * ROWS_A_MILLISECOND;
        for (; sent < due; sent++) {
          sender.send(Optional.empty(), Optional.of(meters.next()));
        }
        sender.flush();
      } while (!closing.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS));
      end.complete(null);
    } catch (IOException | InterruptedException | RuntimeException e) {
      end.completeExceptionally(new Unsent(e));
    }
  }

  /** Thrown if no more readings can be sent, which is no failure of a job. */
  public static final class Unsent extends IOException {
    private static final long serialVersionUID = 1L;

    private Unsent(Exception cause) {
      super(
          "the made-up readings cannot be sent any more: "
              + Causes.last(cause)
              + ". Start gauze up again; if it happens again, look whether the disk is full",
          cause);
    }
  }

  /** Sends no more readings, and returns when the last one was sent. */
  @Override
  public void close() throws InterruptedException {
    CloseAtExit.forget(this);
    closing.countDown();
    thread.join();
  }
}
