package io.gauze.cli;

import io.gauze.config.ConfigException;
import io.gauze.config.StreamConfig;
import io.gauze.release.Release;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The verb {@code fit}: fits releases, which is post-processing and costs no more privacy. */
@Command(
    name = "fit",
    description = {
      "Fits a regression on a release: from files, or from a config's topic. As many fits as you"
          + " like cost no more privacy.",
      "Several files, or a range of ids, are epochs of one sketch that are added up. With --config"
          + " and no --id the latest epoch is taken, of the sketch that promises the smallest"
          + " error."
    },
    footer = {
      "",
      "Examples:",
      "  gauze fit --release wine-all-all-moments.avro --response quality",
      "  gauze fit --config wine.yaml --id wine/all/all/moments --response pH \\",
      "      --loss lasso"
    })
public final class FitCommand implements Callable<Integer> {
  @Option(
      names = "--release",
      paramLabel = "FILE[,FILE]",
      split = ",",
      description = "Files of one release, or of several epochs: .avro, .json or .npz.")
  private List<Path> files = List.of();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "A stream's description, whose topic of releases is read.")
  private Optional<Path> config;

  @Option(
      names = "--id",
      paramLabel = "ID[..ID]",
      description = "A release of the topic, or the first and the last of a range of epochs.")
  private Optional<String> id;

  @Mixin private FitOptions options;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws ConfigException, IOException, NoFitException {
    require(
        files.isEmpty() != config.isEmpty(),
        "give either --release, files of releases, or --config, whose topic holds them");
    require(id.isEmpty() || config.isPresent(), "--id needs --config: which topic to read");
    options.level(); // before anything is read
    List<List<Release>> candidates = files.isEmpty() ? ofTopic() : List.of(ofFiles());
    PrintWriter err = spec.commandLine().getErr();
    new FitRun(options, err).print(candidates);
    return ExitStatus.DONE;
  }

  private void require(boolean holds, String message) {
    if (!holds) {
      throw new ParameterException(spec.commandLine(), message);
    }
  }

  private List<Release> ofFiles() throws IOException {
    List<Release> releases = new ArrayList<>();
    for (Path file : files) {
      require(
          ReleaseFiles.known(file),
          "--release must be a file that ends with .avro, .json or .npz. Provided value: " + file);
      require(
          Files.isReadable(file) && !Files.isDirectory(file),
          "--release must be a file that can be read. Provided value: " + file);
      releases.add(ReleaseFiles.read(file));
    }
    return releases;
  }

  private List<List<Release>> ofTopic() throws ConfigException, IOException {
    StreamConfig stream = StreamConfig.read(config.get());
    try {
      ReleaseSelection selection = ReleaseSelection.of(stream.stream(), id);
      return selection.read(stream, spec.commandLine().getErr());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
