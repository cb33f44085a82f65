package io.gauze.cli.option;

import io.gauze.config.ConfigException;
import io.gauze.config.StreamConfig;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option that names the config. */
public final class ConfigOption {
  @Option(
      names = "--config",
      required = true,
      paramLabel = "FILE",
      description = "The stream's description, a YAML file.")
  private Path file;

  public Path file() {
    return file;
  }

  public StreamConfig read() throws ConfigException {
    return StreamConfig.read(file);
  }
}
