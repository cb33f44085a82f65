package io.gauze.cli.option;

import io.gauze.config.ConfigException;
import io.gauze.config.JobStreams;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/** The option that names the configs, for verbs that take several streams. */
public final class ConfigsOption {
  @Option(
      names = "--config",
      required = true,
      paramLabel = "FILE",
      description = {
        "The stream's description, a YAML file.",
        "Several, each after its own --config, are the streams of one job."
      })
  private List<Path> files;

  public JobStreams read() throws ConfigException {
    return JobStreams.read(files);
  }
}
