package io.gauze.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.answer.ReleaseLibrary;
import io.gauze.answer.ReleaseTopic;
import io.gauze.answer.RequestReader;
import io.gauze.answer.SolveRequest;
import io.gauze.mechanism.ReleaseId;
import io.gauze.release.Release;
import io.gauze.topic.KafkaAccess;
import java.io.PrintStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * What the services take to start with a topic of many releases, and to look up the release of a
 * question among them. All are one release of 12 columns under other ids, of groups and epochs. The
 * service is a JVM of its own with a heap of one gibibyte, and the broker is a process, too.
 */
public final class ReleaseStart {
  private static final String STREAM = "load";
  private static final String TOPIC = "releases";
  private static final int GROUPS = 1_000;

  private ReleaseStart() {}

  /**
   * Runs.
   *
   * @param args the numbers of releases, each a multiple of 1,000 (1,000 and 1,000,000)
   */
  public static void main(String[] args) throws Exception {
    PrintStream out = new PrintStream(System.out, true, UTF_8);
    out.println(
        "| releases | bytes of each | seconds to start | CPU, seconds | heap, MiB | look-up, median ms"
            + " | p99 | look for new ones, median ms | with a new one, ms |");
    out.println("|---|---|---|---|---|---|---|---|---|");
    for (String releases : args.length > 0 ? List.of(args) : List.of("1000", "1000000")) {
      if (Integer.parseInt(releases) <= 0 || Integer.parseInt(releases) % GROUPS != 0) {
        throw new IllegalArgumentException(
            "numbers of releases must be multiples of " + GROUPS + ". Provided value: " + releases);
      }
      try (ChildProcess broker = ChildProcess.start(LoadBroker.class, List.of())) {
        String address = broker.line();
        int bytes = write(address, Integer.parseInt(releases) / GROUPS);
        try (ChildProcess start = ChildProcess.start(Start.class, List.of(address, releases))) {
          out.printf(
              Locale.ROOT, "| %,d | %,d | %s |%n", Integer.parseInt(releases), bytes, start.line());
        }
      }
    }
  }

  private static KafkaAccess kafka(String address) {
    return new KafkaAccess(address, Map.of());
  }

  private static ReleaseId id(int group, int epoch) {
    Instant begin = Instant.EPOCH.plus(Duration.ofHours(epoch));
    return new ReleaseId(STREAM, "g" + group, begin.toString(), "moments");
  }

  private static int write(String address, int epochs) throws Exception {
    try (Admin admin = Admin.create(kafka(address).properties())) {
      admin.createTopics(List.of(new NewTopic(TOPIC, 1, (short) 1))).all().get();
    }
    Function<ReleaseId, Release> copies = LoadReleases.copies(STREAM);
    try (KafkaProducer<byte[], byte[]> producer =
        kafka(address).producer(Map.of(ProducerConfig.COMPRESSION_TYPE_CONFIG, "zstd"))) {
      for (int epoch = 0; epoch < epochs; epoch++) {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        for (int group = 0; group < GROUPS; group++) {
          sent.add(producer.send(record(copies.apply(id(group, epoch)))));
        }
        for (Future<RecordMetadata> each : sent) {
          each.get();
        }
      }
    }
    return copies.apply(id(0, 0)).toBytes().length;
  }

  private static ProducerRecord<byte[], byte[]> record(Release release) {
    return new ProducerRecord<>(TOPIC, release.id().toString().getBytes(UTF_8), release.toBytes());
  }

  /** The start, as a program. */
  static final class Start {
    private static final int QUESTIONS = 400;

    private Start() {}

    /** Opens the releases of a broker, and prints what that took. */
    public static void main(String[] args) throws Exception {
      int epochs = Integer.parseInt(args[1]) / GROUPS;
      long begin = System.nanoTime();
      try (ReleaseLibrary library =
          new ReleaseLibrary(
              Optional.empty(), new ReleaseTopic(kafka(args[0]), TOPIC), Clock.systemUTC())) {
        double ready = 1e-9 * (System.nanoTime() - begin);
        if (library.state().entries().size() != epochs * GROUPS) {
          throw new IllegalStateException("not all releases were read");
        }
        Duration cpu = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        long used = (runtime.totalMemory() - runtime.freeMemory()) >> 20;
        List<Double> lookups = new ArrayList<>();
        List<Double> refreshes = new ArrayList<>();
        for (int k = 0; k < QUESTIONS; k++) {
          SolveRequest request = request(id(k * 37 % GROUPS, k * 7919 % epochs));
          lookups.add(millis(() -> requireFound(library.find(request))));
          if (k % 8 == 0) {
            refreshes.add(millis(library::refresh));
          }
        }
        lookups.sort(null);
        refreshes.sort(null);
        System.out.printf(
            Locale.ROOT,
            "%.1f | %.1f | %,d | %.2f | %.2f | %.2f | %.0f%n",
            ready,
            cpu.toMillis() / 1e3,
            used,
            lookups.get(lookups.size() / 2),
            lookups.get(lookups.size() * 99 / 100),
            refreshes.get(refreshes.size() / 2),
            withNew(library, args[0], epochs));
      }
    }

    /** Returns the milliseconds of the call that finds another release. */
    private static double withNew(ReleaseLibrary library, String address, int epochs)
        throws Exception {
      try (KafkaProducer<byte[], byte[]> producer = kafka(address).producer(Map.of())) {
        producer.send(record(LoadReleases.copies(STREAM).apply(id(0, epochs)))).get();
      }
      int before = library.state().entries().size();
      double millis = 0.0;
      while (library.state().entries().size() == before) {
        millis = millis(library::refresh);
      }
      return millis;
    }

    private static void requireFound(Optional<ReleaseLibrary.Prepared> found) {
      if (found.isEmpty()) {
        throw new IllegalStateException("a release is missing");
      }
    }

    private interface Work {
      void run() throws Exception;
    }

    private static double millis(Work work) throws Exception {
      long begin = System.nanoTime();
      work.run();
      return 1e-6 * (System.nanoTime() - begin);
    }

    private static SolveRequest request(ReleaseId id) throws Exception {
      ObjectNode question = JsonNodeFactory.instance.objectNode();
      question.put("response", "c1");
      question.put("release", id.toString());
      return RequestReader.request(question);
    }
  }
}
