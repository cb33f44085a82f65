package io.gauze.cli.release;

import io.gauze.config.ConfigException;
import io.gauze.config.StreamConfig;
import io.gauze.fit.BestFit;
import io.gauze.fit.Term;
import io.gauze.mechanism.ReleaseId;
import io.gauze.regression.FitSummary;
import io.gauze.release.Release;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options that say which releases are used: files, or those of a config's topic. */
public final class ReleaseOptions {
  @Option(
      names = "--release",
      paramLabel = "FILE[,FILE]",
      split = ",",
      description =
          "Files of one release, or of several that are added up: .avro, .json or .npz. Of several"
              + " epochs, groups or streams.")
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

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  private Optional<ReleaseSelection> selection = Optional.empty(); // once releases are read

  /**
   * Checks that the options fit together; reads nothing.
   *
   * @throws ParameterException if they do not
   */
  public void check() {
    require(
        files.isEmpty() != config.isEmpty(),
        "give either --release, files of releases, or --config, whose topic holds them");
    require(id.isEmpty() || config.isPresent(), "--id needs --config: which topic to read");
  }

  /** Returns the candidates, each one release or several epochs of a sketch. */
  public List<List<Release>> read() throws ConfigException, IOException {
    return files.isEmpty() ? ofTopic() : List.of(ofFiles());
  }

  /** Says if the fit is one of a latest epoch that seems empty, and if there are earlier ones. */
  public void sayIfEmpty(BestFit fit, PrintWriter err) {
    ReleaseId latest = fit.best().orElseThrow().source().ids().get(0);
    Optional<ReleaseId> earlier = selection.flatMap(all -> all.before(latest));
    if (earlier.isPresent()) {
      FitSummary summary = fit.report(true, Term.USUAL_LEVEL).summary().orElseThrow();
      EmptyEpoch.line(summary.rows().reason(), latest, earlier).ifPresent(err::println);
      err.flush();
    }
  }

  private void require(boolean holds, String message) {
    if (!holds) {
      throw new ParameterException(spec.commandLine(), message);
    }
  }

  private List<Release> ofFiles() throws IOException {
    List<Release> releases = new ArrayList<>();
    for (Path file : files) {
      releases.add(ReleaseFiles.read(spec, "--release", file));
    }
    return releases;
  }

  private List<List<Release>> ofTopic() throws ConfigException, IOException {
    StreamConfig stream = StreamConfig.read(config.orElseThrow());
    try {
      ReleaseSelection wanted = ReleaseSelection.of(stream.stream(), id);
      selection = Optional.of(wanted);
      return wanted.read(stream, spec.commandLine().getErr());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
