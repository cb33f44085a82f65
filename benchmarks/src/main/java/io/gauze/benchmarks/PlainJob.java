package io.gauze.benchmarks;

import io.gauze.config.StreamConfig;
import io.gauze.noise.Entropy;
import io.gauze.row.RowEncoder;
import io.gauze.row.RowHasher;
import io.gauze.row.RowRejectedException;
import io.gauze.source.RecordDecoder;
import io.gauze.source.RowFields;
import io.gauze.source.RowImage;
import io.gauze.stream.PartialEpoch;
import io.gauze.stream.SketchJobSettings;
import io.gauze.topic.VisibleEnds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads a topic to its end without Flink, in two threads: with consumers that drop each record, or
 * with the decoder and the sketches of the sketch job.
 */
final class PlainJob {
  private static final int THREADS = 2;
  private static final Duration POLL = Duration.ofMillis(100);

  private final StreamConfig config;
  private final SketchJobSettings settings;
  private final boolean sketches;

  /**
   * Creates a job.
   *
   * @param sketches whether rows are decoded and added to sketches
   */
  PlainJob(StreamConfig config, SketchJobSettings settings, boolean sketches) {
    this.config = config;
    this.settings = settings;
    this.sketches = sketches;
  }

  /** What becomes of the records of a thread. */
  private interface Rows {
    void add(ConsumerRecord<byte[], byte[]> record) throws RowRejectedException;
  }

  void run() throws Exception {
    Map<Integer, Long> ends = VisibleEnds.now(settings.kafka(), settings.topics().rows());
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<Long>> results = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        int rest = thread;
        List<Integer> partitions =
            ends.keySet().stream().filter(partition -> partition % THREADS == rest).toList();
        results.add(threads.submit(() -> read(partitions, ends)));
      }
      for (Future<Long> result : results) {
        result.get();
      }
    } finally {
      threads.shutdown();
    }
  }

  /** Returns the number of records. */
  private long read(List<Integer> partitions, Map<Integer, Long> ends) throws Exception {
    String topic = settings.topics().rows();
    List<TopicPartition> left =
        new ArrayList<>(partitions.stream().map(each -> new TopicPartition(topic, each)).toList());
    PartialEpoch sums = null;
    Rows rows = record -> {};
    if (sketches) {
      RowEncoder encoder = new RowEncoder(settings.plan().schema());
      Entropy entropy = settings.randomness().entropy("row hashes");
      RowHasher hasher = RowHasher.create(entropy::nextLong);
      sums =
          new PartialEpoch(
              settings.plan(),
              PartialEpoch.batchRows(settings.plan()),
              encoder,
              Optional.of(hasher.ofBatches()));
      rows = adding(encoder, sums);
    }
    long count = 0;
    try (KafkaConsumer<byte[], byte[]> consumer = settings.kafka().consumer()) {
      consumer.assign(left);
      while (!left.isEmpty()) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          rows.add(record);
          count++;
        }
        left.removeIf(each -> consumer.position(each) >= ends.get(each.partition()));
      }
    }
    if (sums != null) {
      sums.settle();
    }
    return count;
  }

  private Rows adding(RowEncoder encoder, PartialEpoch sums) {
    RowFields fields = RowFields.of(config.schema(), List.of());
    RecordDecoder decoder = config.kafka().rows().format().decoder(fields);
    RowImage before = new RowImage(fields);
    RowImage after = new RowImage(fields, encoder);
    return record -> {
      decoder.decode(record.value(), before, after);
      after.accept();
      sums.addAt(record.partition(), record.offset());
    };
  }
}
