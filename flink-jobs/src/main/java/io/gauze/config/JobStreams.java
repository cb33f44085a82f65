package io.gauze.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.configuration.GlobalConfiguration;

/**
 * The streams of one job, in the order of the command line. They share Flink's settings and nothing
 * else; each may have its own broker.
 *
 * @param files the file of each config, as long as {@code configs}; immutable
 * @param configs at least one, with different stream names; immutable
 */
public record JobStreams(List<Path> files, List<StreamConfig> configs) {
  /**
   * Checks the lengths of the lists.
   *
   * @throws IllegalArgumentException if there is no config, or not one file for each
   */
  public JobStreams {
    files = List.copyOf(files);
    configs = List.copyOf(configs);
    if (configs.isEmpty() || files.size() != configs.size()) {
      throw new IllegalArgumentException(
          "configs must be one for each file, and at least one. Provided value: "
              + configs.size()
              + " configs, "
              + files.size()
              + " files");
    }
  }

  /** Returns the job of one stream, whose file is named after it. */
  public static JobStreams of(StreamConfig config) {
    return new JobStreams(List.of(Path.of(config.stream())), List.of(config));
  }

  /**
   * Reads the configs of one job.
   *
   * @param files at least one
   * @throws ConfigException as {@link StreamConfig#read}; or if two configs have the same stream
   *     name or different Flink settings, or only one of them is bounded; or if two configs of the
   *     same rows have different ledgers or different checkpointLeaks
   */
  public static JobStreams read(List<Path> files) throws ConfigException {
    List<StreamConfig> configs = new ArrayList<>();
    for (Path file : files) {
      configs.add(StreamConfig.read(file));
    }
    JobStreams streams = new JobStreams(files, configs);
    for (int i = 1; i < files.size(); i++) {
      streams.checkName(i);
      streams.checkFlink(i);
      streams.checkBounded(i);
      streams.checkLedger(i);
      streams.checkCheckpointLeaks(i);
    }
    return streams;
  }

  private void checkName(int index) throws ConfigException {
    String name = configs.get(index).stream();
    int first = names().indexOf(name);
    if (first < index) {
      throw new ConfigException(
          files.get(index)
              + ": stream must be another one than that of "
              + files.get(first)
              + ", since releases are told apart by it. Provided value: "
              + name);
    }
  }

  /**
   * Checks that the configs have the same Flink settings, since a job has only one configuration.
   */
  private void checkFlink(int index) throws ConfigException {
    Map<String, String> ours = configs.get(0).flink();
    Map<String, String> theirs = configs.get(index).flink();
    Set<String> keys = new TreeSet<>(ours.keySet());
    keys.addAll(theirs.keySet());
    for (String key : keys) {
      if (!Objects.equals(ours.get(key), theirs.get(key))) {
        throw new ConfigException(
            files.get(index)
                + ": flink.properties."
                + key
                + " must be as in "
                + files.get(0)
                + ", since the streams of one job share Flink's settings; or run two jobs."
                + values(key, theirs, ours));
      }
    }
  }

  private static String values(String key, Map<String, String> theirs, Map<String, String> ours) {
    return GlobalConfiguration.isSensitive(key)
        ? ""
        : " Provided value: "
            + theirs.getOrDefault(key, "none")
            + ", and there "
            + ours.getOrDefault(key, "none");
  }

  /** Checks that streams of the same rows have the same ledger, since they share one account. */
  private void checkLedger(int index) throws ConfigException {
    KafkaSettings kafka = configs.get(index).kafka();
    for (int i : ofTheSameRows(index)) {
      if (!kafka.topics().ledger().equals(configs.get(i).kafka().topics().ledger())) {
        throw new ConfigException(
            files.get(index)
                + ": kafka.ledger.topic must be that of "
                + files.get(i)
                + ", since both streams are of the rows of topic "
                + kafka.topics().rows()
                + ", whose budget is kept in one ledger. Provided value: "
                + kafka.topics().ledger());
      }
    }
  }

  /**
   * Checks that streams of the same rows have the same checkpointLeaks. A checkpoint holds the sums
   * of all streams, so sums without the second noise would reveal those with it.
   */
  private void checkCheckpointLeaks(int index) throws ConfigException {
    int checkpointLeaks = configs.get(index).checkpointLeaks();
    for (int i : ofTheSameRows(index)) {
      if (configs.get(i).checkpointLeaks() != checkpointLeaks) {
        throw new ConfigException(
            files.get(index)
                + ": privacy.checkpointLeaks must be as in "
                + files.get(i)
                + ", since both streams are of the rows of topic "
                + configs.get(index).kafka().topics().rows()
                + ", and a stolen checkpoint of one job holds both; or run two jobs. Provided"
                + " value: "
                + checkpointLeaks);
      }
    }
  }

  /**
   * Returns the earlier streams that read the same topic. Clients need not name all brokers of a
   * cluster, so one address in common is enough.
   */
  private List<Integer> ofTheSameRows(int index) {
    KafkaSettings kafka = configs.get(index).kafka();
    List<Integer> same = new ArrayList<>();
    for (int i = 0; i < index; i++) {
      KafkaSettings other = configs.get(i).kafka();
      if (!Collections.disjoint(brokers(kafka), brokers(other))
          && kafka.topics().rows().equals(other.topics().rows())) {
        same.add(i);
      }
    }
    return same;
  }

  /** Returns the addresses, independent of their order. */
  private static Set<String> brokers(KafkaSettings kafka) {
    String addresses = kafka.bootstrap().orElse("").toLowerCase(Locale.ROOT);
    return new TreeSet<>(List.of(addresses.split(",", -1)));
  }

  /**
   * Checks that all streams are bounded or none is. A job ends only when all of its streams have
   * ended, and the state of ended streams is not restored reliably beside that of running ones.
   */
  private void checkBounded(int index) throws ConfigException {
    boolean bounded = configs.get(index).kafka().bounded();
    if (bounded != configs.get(0).kafka().bounded()) {
      throw new ConfigException(
          files.get(index)
              + ": kafka.rows.bounded must be as in "
              + files.get(0)
              + ", since a job ends when all of its streams have; or run two jobs. Provided value: "
              + bounded
              + (configs.get(index).epochs().isAll() ? ", from epochs.length all" : ""));
    }
  }

  /** Returns whether the job has exactly one stream. */
  public boolean isOne() {
    return configs.size() == 1;
  }

  /** The names of the streams, in order; immutable. */
  public List<String> names() {
    return configs.stream().map(StreamConfig::stream).toList();
  }

  /** Flink's own keys and values, the same for all streams; immutable. */
  public Map<String, String> flink() {
    return configs.get(0).flink();
  }

  /** Returns whether the rows of all streams end. */
  public boolean bounded() {
    return configs.get(0).kafka().bounded();
  }

  /** Returns the start of a message about one of the streams; empty if the job has only one. */
  public String prefix(StreamConfig config) {
    return isOne() ? "" : "stream " + config.stream() + ": ";
  }
}
