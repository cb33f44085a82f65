package io.gauze.config;

import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.ReadableConfig;

/**
 * The memory that the rows of epochs may take in a process while the models of a job are fitted to
 * them, all of its streams together.
 */
public final class ModelMemory {
  /** A setting of the job beside those of Flink, since it is about the machine. */
  public static final ConfigOption<MemorySize> LIMIT =
      ConfigOptions.key("gauze.models.memory").memoryType().noDefaultValue();

  private static final double SHARE = 0.5; // of the heap

  private ModelMemory() {}

  /** Returns the limit in bytes: half of the heap of this process, if none is given. */
  public static long bytes(ReadableConfig config) {
    return config
        .getOptional(LIMIT)
        .map(MemorySize::getBytes)
        .orElseGet(() -> (long) (SHARE * Runtime.getRuntime().maxMemory()));
  }
}
