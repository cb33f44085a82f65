package io.gauze.cli;

import io.gauze.cli.option.CommandMessage;
import io.gauze.config.JobStreams;
import io.gauze.config.ModelMemory;
import io.gauze.config.StreamConfig;
import io.gauze.message.Message;
import io.gauze.message.NearestName;
import io.gauze.report.Messages;
import java.io.PrintWriter;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.configuration.BlobServerOptions;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.CleanupOptions;
import org.apache.flink.configuration.ClusterOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.EventOptions;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.ExternalResourceOptions;
import org.apache.flink.configuration.FallbackKey;
import org.apache.flink.configuration.HeartbeatManagerOptions;
import org.apache.flink.configuration.HighAvailabilityOptions;
import org.apache.flink.configuration.HistoryServerOptions;
import org.apache.flink.configuration.JMXServerOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.MetricOptions;
import org.apache.flink.configuration.NettyShuffleEnvironmentOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.ResourceManagerOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.RpcOptions;
import org.apache.flink.configuration.SecurityOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateChangelogOptions;
import org.apache.flink.configuration.StateLatencyTrackOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.configuration.TraceOptions;
import org.apache.flink.configuration.WebOptions;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * Warns of keys in {@code kafka.properties} and {@code flink.properties} that neither Kafka's
 * clients nor Flink know. They are warnings, since a plugin may know them.
 */
final class UnknownKeys {
  private static final List<Class<?>> OF_FLINK =
      List.of(
          BlobServerOptions.class,
          CheckpointingOptions.class,
          CleanupOptions.class,
          ClusterOptions.class,
          CoreOptions.class,
          DeploymentOptions.class,
          EventOptions.class,
          ExecutionOptions.class,
          ExternalResourceOptions.class,
          HeartbeatManagerOptions.class,
          HighAvailabilityOptions.class,
          HistoryServerOptions.class,
          JMXServerOptions.class,
          JobManagerOptions.class,
          MetricOptions.class,
          NettyShuffleEnvironmentOptions.class,
          PipelineOptions.class,
          ResourceManagerOptions.class,
          RestOptions.class,
          RestartStrategyOptions.class,
          RpcOptions.class,
          SecurityOptions.class,
          StateBackendOptions.class,
          StateChangelogOptions.class,
          StateLatencyTrackOptions.class,
          StateRecoveryOptions.class,
          TaskManagerOptions.class,
          TraceOptions.class,
          WebOptions.class);

  /** The beginnings of keys of which a plugin, a file system or the user makes the rest. */
  private static final List<String> FREE =
      List.of(
          "config.providers",
          "containerized.",
          "env.",
          "events.reporter.",
          "external-resource.",
          "flink.hadoop.",
          "fs.",
          "hadoop.",
          "kubernetes.",
          "metrics.reporter.",
          "pipeline.global-job-parameters.",
          "s3.",
          "traces.reporter.",
          "yarn.");

  private UnknownKeys() {}

  /** Prints a warning for each such key of each config. */
  static void warn(JobStreams job, PrintWriter err) {
    Set<String> kafka = ofKafka();
    Set<String> flink = ofFlink();
    for (StreamConfig config : job.configs()) {
      config
          .kafka()
          .properties()
          .keySet()
          .forEach(key -> warn(job, config, "kafka.properties." + key, key, kafka, err));
      config
          .flink()
          .keySet()
          .forEach(key -> warn(job, config, "flink.properties." + key, key, flink, err));
    }
    err.flush();
  }

  private static void warn(
      JobStreams job,
      StreamConfig config,
      String path,
      String key,
      Set<String> known,
      PrintWriter err) {
    if (!known.contains(key) && FREE.stream().noneMatch(key::startsWith)) {
      Message message = CommandMessage.UNKNOWNKEY.of(path, NearestName.of(key, known));
      String prefix = "warning: " + job.prefix(config) + config.place(path);
      Messages.all(prefix, List.of(message)).forEach(err::println);
    }
  }

  private static Set<String> ofKafka() {
    Set<String> keys = new TreeSet<>(AdminClientConfig.configNames());
    keys.addAll(ConsumerConfig.configNames());
    keys.addAll(ProducerConfig.configNames());
    return keys;
  }

  /** Returns all keys of Flink, and the one that {@code flink.properties} has besides. */
  static Set<String> ofFlink() {
    Set<String> keys = new TreeSet<>(Set.of(ModelMemory.LIMIT.key()));
    for (Class<?> options : OF_FLINK) {
      for (Field field : options.getFields()) {
        if (Modifier.isStatic(field.getModifiers()) && field.getType() == ConfigOption.class) {
          add(field, keys);
        }
      }
    }
    return keys;
  }

  private static void add(Field field, Set<String> keys) {
    try {
      ConfigOption<?> option = (ConfigOption<?>) field.get(null);
      keys.add(option.key());
      for (FallbackKey old : option.fallbackKeys()) {
        keys.add(old.getKey());
      }
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("getFields gives public fields only", e);
    }
  }
}
