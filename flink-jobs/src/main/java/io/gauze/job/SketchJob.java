package io.gauze.job;

import io.gauze.kafka.DeadLetter;
import io.gauze.kafka.DeadLetterSchema;
import io.gauze.kafka.LogSource;
import io.gauze.kafka.RowRecord;
import io.gauze.kafka.RowRecordSchema;
import io.gauze.kafka.RowRecords;
import io.gauze.pipeline.JobUids;
import io.gauze.pipeline.ProtocolGuard;
import io.gauze.pipeline.SealedBlock;
import io.gauze.pipeline.again.ModelFitOperator;
import io.gauze.pipeline.again.ModelOperator;
import io.gauze.pipeline.read.ClockSource;
import io.gauze.pipeline.read.DeadLetterOutputs;
import io.gauze.pipeline.read.FoldOperator;
import io.gauze.pipeline.read.KeyedFoldOperator;
import io.gauze.pipeline.read.RouteOperator;
import io.gauze.pipeline.read.RoutedRecord;
import io.gauze.pipeline.seal.AccumulateOperator;
import io.gauze.pipeline.seal.AssembleFunction;
import io.gauze.publish.ReleaseCommittable;
import io.gauze.publish.ReleaseSink;
import io.gauze.stream.CellMessage;
import io.gauze.stream.Offsets;
import io.gauze.stream.SketchJobSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateChangelogOptions;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.KafkaSourceBuilder;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamSink;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.common.TopicPartition;

/**
 * Builds the graph of the sketch job: rows, fold, accumulate, seal by the clock, assemble, publish.
 */
public final class SketchJob {
  /** The largest parallelism with which a savepoint of the job can be restored. */
  private static final int MAX_PARALLELISM = 128;

  /** How long a checkpoint may take in a job that ends and reads rows twice. */
  private static final Duration LONGEST_SECOND_READING = Duration.ofDays(1);

  private SketchJob() {}

  /**
   * Returns the Flink settings of the job: those of {@code user}, and defaults for all others.
   *
   * @throws IllegalArgumentException if {@code user} breaks the protocol, naming the key
   */
  public static Configuration configuration(Configuration user) {
    Configuration config = new Configuration();
    config.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.STREAMING);
    config.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofSeconds(10));
    config.set(CheckpointingOptions.ENABLE_UNALIGNED, false);
    config.set(StateBackendOptions.STATE_BACKEND, "hashmap");
    config.set(StateChangelogOptions.ENABLE_STATE_CHANGE_LOG, false);
    config.set(PipelineOptions.OBJECT_REUSE, true);
    config.set(PipelineOptions.GENERIC_TYPES, false);
    config.set(PipelineOptions.MAX_PARALLELISM, MAX_PARALLELISM);
    config.set(RestartStrategyOptions.RESTART_STRATEGY, "exponential-delay");
    config.addAll(user);
    ProtocolGuard.checkConfig(config);
    return config;
  }

  /**
   * Adds the operators of one stream to {@code env}, whose configuration must be that of {@link
   * #configuration}. Several streams in one {@code env} make one job. Their operators share
   * nothing, and the operators' names, also in metrics, begin with the stream's name.
   */
  public static void build(StreamExecutionEnvironment env, SketchJobSettings settings) {
    ProtocolGuard.checkConfig(env.getConfiguration());
    String stream = settings.plan().stream();
    DataStream<CellMessage> folded =
        settings.isKeyed() ? byKey(env, settings) : byRow(env, settings);
    DataStream<CellMessage> cuts =
        env.fromSource(
                new ClockSource(settings, env.getMaxParallelism()),
                WatermarkStrategy.noWatermarks(),
                name("clock", settings),
                CellMessage.TYPE)
            .setParallelism(1)
            .uid(JobUids.CLOCK.of(stream));
    SingleOutputStreamOperator<SealedBlock> sealed =
        folded
            .union(cuts)
            .keyBy(CellMessage::key, Types.STRING)
            .transform(
                name("accumulate, seal", settings),
                SealedBlock.TYPE,
                new AccumulateOperator(settings))
            .uid(JobUids.ACCUMULATE.of(stream));
    DataStream<SealedBlock> parts =
        settings.readAgain().isEmpty()
            ? sealed
            : sealed.union(secondReading(env, sealed, settings));
    parts
        .keyBy(SealedBlock::releaseKey, Types.STRING)
        .process(new AssembleFunction(settings), ReleaseCommittable.TYPE)
        .name(name("assemble", settings))
        .uid(JobUids.ASSEMBLE.of(stream))
        .sinkTo(new ReleaseSink(settings))
        .setParallelism(1)
        .name(name("publish", settings))
        .uid(JobUids.PUBLISH.of(stream));
  }

  /**
   * Builds the operators that read the rows of sealed epochs again, and returns the parts of the
   * releases that are made of both readings.
   */
  private static DataStream<SealedBlock> secondReading(
      StreamExecutionEnvironment env,
      SingleOutputStreamOperator<SealedBlock> sealed,
      SketchJobSettings settings) {
    if (settings.bounded()
        && env.getConfiguration()
            .getOptional(CheckpointingOptions.CHECKPOINTING_TIMEOUT)
            .isEmpty()) {
      // No checkpoint is complete at the end of the input before all rows have been read again,
      // see ModelFitOperator.endInput.
      env.getCheckpointConfig().setCheckpointTimeout(LONGEST_SECOND_READING.toMillis());
    }
    String stream = settings.plan().stream();
    SingleOutputStreamOperator<SealedBlock> models =
        sealed
            .getSideOutput(AccumulateOperator.FIRST_STAGE)
            .keyBy(block -> stream, Types.STRING)
            .transform(name("model", settings), SealedBlock.TYPE, new ModelOperator(settings))
            .setParallelism(1)
            .uid(JobUids.MODEL.of(stream));
    return models.union(
        models
            .getSideOutput(ModelOperator.FITS)
            .transform(
                name("read again, fit", settings),
                SealedBlock.TYPE,
                new ModelFitOperator(settings, env.getParallelism()))
            .setParallelism(1)
            .uid(JobUids.MODEL_FIT.of(stream)));
  }

  /** Builds the operators of an append-only stream, in which each row is folded by itself. */
  private static DataStream<CellMessage> byRow(
      StreamExecutionEnvironment env, SketchJobSettings settings) {
    SingleOutputStreamOperator<CellMessage> folded =
        reading(
                source(env, settings)
                    .transform(
                        name("decode, encode, fold", settings),
                        CellMessage.TYPE,
                        new FoldOperator(settings)),
                settings)
            .uid(JobUids.FOLD.of(settings.plan().stream()));
    letters(
        folded.getSideOutput(DeadLetterOutputs.DEAD),
        folded.getSideOutput(DeadLetterOutputs.LATE),
        settings);
    return folded;
  }

  /** Builds the operators of a stream whose rows must be routed by key. */
  private static DataStream<CellMessage> byKey(
      StreamExecutionEnvironment env, SketchJobSettings settings) {
    String stream = settings.plan().stream();
    SingleOutputStreamOperator<RoutedRecord> routed =
        reading(
                source(env, settings)
                    .transform(
                        name("find keys", settings),
                        RoutedRecord.TYPE,
                        new RouteOperator(settings)),
                settings)
            .uid(JobUids.ROUTE.of(stream));
    SingleOutputStreamOperator<CellMessage> folded =
        routed
            .keyBy(RoutedRecord::key, Types.STRING)
            .transform(
                name("decode, encode, fold by key", settings),
                CellMessage.TYPE,
                new KeyedFoldOperator(settings))
            .uid(JobUids.FOLD_BY_KEY.of(stream));
    letters(
        folded
            .getSideOutput(DeadLetterOutputs.DEAD)
            .union(routed.getSideOutput(DeadLetterOutputs.DEAD)),
        folded.getSideOutput(DeadLetterOutputs.LATE),
        settings);
    return folded.union(routed.getSideOutput(RouteOperator.PROGRESS));
  }

  private static DataStream<RowRecords> source(
      StreamExecutionEnvironment env, SketchJobSettings settings) {
    return reading(
            env.fromSource(
                rows(settings),
                WatermarkStrategy.noWatermarks(),
                name("rows", settings),
                RowRecords.TYPE),
            settings)
        .uid(JobUids.ROWS.of(settings.plan().stream()));
  }

  /**
   * Sets the parallelism of a reading operator: in a job that ends, each subtask must have rows to
   * read.
   */
  private static <T> SingleOutputStreamOperator<T> reading(
      SingleOutputStreamOperator<T> operator, SketchJobSettings settings) {
    return settings.bounded()
        ? operator.setParallelism(settings.ends().readers(operator.getParallelism()))
        : operator;
  }

  private static Source<RowRecords, ?, ?> rows(SketchJobSettings settings) {
    Properties properties = settings.kafka().properties();
    properties.setProperty("isolation.level", "read_committed");
    properties.setProperty("commit.offsets.on.checkpoint", "false");
    properties.setProperty("partition.discovery.interval.ms", "10000");
    KafkaSourceBuilder<RowRecord> builder =
        KafkaSource.<RowRecord>builder()
            .setBootstrapServers(settings.kafka().bootstrap())
            .setTopics(settings.topics().rows())
            .setClientIdPrefix("gauze-" + settings.plan().stream())
            .setStartingOffsets(OffsetsInitializer.earliest())
            .setDeserializer(new RowRecordSchema())
            .setProperties(properties);
    if (settings.bounded()) {
      builder.setBounded(OffsetsInitializer.offsets(stopAt(settings, settings.ends())));
    }
    return new LogSource(builder.build());
  }

  private static Map<TopicPartition, Long> stopAt(SketchJobSettings settings, Offsets ends) {
    Map<TopicPartition, Long> stops = new HashMap<>();
    ends.byPartition()
        .forEach(
            (partition, end) ->
                stops.put(new TopicPartition(settings.topics().rows(), partition), end));
    return stops;
  }

  private static void letters(
      DataStream<DeadLetter> dead, DataStream<DeadLetter> late, SketchJobSettings settings) {
    String stream = settings.plan().stream();
    letters(
        dead,
        settings,
        settings.topics().deadLetters(),
        "dead letters",
        JobUids.DEAD_LETTERS.of(stream));
    letters(late, settings, settings.topics().late(), "late rows", JobUids.LATE.of(stream));
  }

  private static void letters(
      DataStream<DeadLetter> letters,
      SketchJobSettings settings,
      String topic,
      String name,
      String uid) {
    DataStreamSink<DeadLetter> sink =
        letters
            .sinkTo(
                KafkaSink.<DeadLetter>builder()
                    .setBootstrapServers(settings.kafka().bootstrap())
                    .setKafkaProducerConfig(settings.kafka().properties())
                    .setDeliveryGuarantee(DeliveryGuarantee.AT_LEAST_ONCE)
                    .setRecordSerializer(new DeadLetterSchema(topic))
                    .build())
            .name(name(name, settings))
            .uid(uid);
    if (settings.bounded()) {
      sink.setParallelism(letters.getParallelism()); // keeps the sink in the task of its input
    }
  }

  private static String name(String operator, SketchJobSettings settings) {
    return settings.plan().stream() + ": " + operator;
  }
}
