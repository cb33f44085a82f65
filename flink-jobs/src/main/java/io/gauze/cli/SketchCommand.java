package io.gauze.cli;

import io.gauze.accounting.Guarantee;
import io.gauze.cli.option.CommandMessage;
import io.gauze.cli.option.ConfigOption;
import io.gauze.cli.option.CsvFileOptions;
import io.gauze.cli.option.ExitStatus;
import io.gauze.cli.option.FormatOption;
import io.gauze.cli.option.GuaranteeOption;
import io.gauze.cli.option.NoFitException;
import io.gauze.cli.option.PrivacyRefusalException;
import io.gauze.cli.release.ReleaseFiles;
import io.gauze.cli.rows.CsvReadings;
import io.gauze.config.ConfigException;
import io.gauze.config.EpochSchedule;
import io.gauze.config.ModelMemory;
import io.gauze.config.RowTime;
import io.gauze.config.StreamConfig;
import io.gauze.local.LocalSketch;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.TrackingMechanism;
import io.gauze.mechanism.select.SelectFit;
import io.gauze.message.Message;
import io.gauze.noise.Randomness;
import io.gauze.plan.SketchPlan;
import io.gauze.plan.SkewedColumns;
import io.gauze.plan.StreamPlan;
import io.gauze.release.GuaranteeJson;
import io.gauze.release.Release;
import io.gauze.release.ReleaseFile;
import io.gauze.report.ChosenRanges;
import io.gauze.report.Columns;
import io.gauze.report.Messages;
import io.gauze.report.RangeLines;
import io.gauze.report.Report;
import io.gauze.stream.SketchParts;
import io.gauze.summary.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.flink.configuration.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The verb {@code sketch}: makes releases from a file, with the code of the sketch job but without
 * Flink.
 */
@Command(
    name = "sketch",
    description = {
      "Releases straight from a CSV file, one file for each sketch of the config; no broker, no"
          + " ledger.",
      "The same rows must be sketched once: every further time spends their budget again."
    },
    footer = {
      "",
      "Example:",
      "  ./gauze sketch --config examples/wine.yaml --csv winequality-white.csv \\",
      "      --out releases"
    })
public final class SketchCommand implements Callable<Integer> {
  @Mixin private ConfigOption config;

  @Option(
      names = "--csv",
      required = true,
      paramLabel = "FILE",
      description = "The rows: a CSV file with a header line, gzip too, - for standard input.")
  private String csv;

  @Mixin private CsvFileOptions csvOptions;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "DIR",
      description = "Where the releases are written: STREAM-GROUP-EPOCH-SKETCH.avro.")
  private Path out;

  @Option(
      names = "--as",
      paramLabel = "ENDING",
      defaultValue = "avro",
      description = "The form of the files: avro, json or npz (NumPy). Default: ${DEFAULT-VALUE}.")
  private String form;

  @Mixin private FormatOption format;

  @Mixin private GuaranteeOption length;

  @Spec private CommandSpec spec;

  @Override
  public Integer call()
      throws ConfigException, PrivacyRefusalException, NoFitException, IOException {
    StreamConfig given = config.read();
    given.requirePlainRows("sketch");
    StreamConfig stream = given.withEpochs(EpochSchedule.all());
    CsvFileOptions.requireReadable(spec, csv);
    if (!ReleaseFiles.ENDINGS.contains("." + form)) {
      throw new ParameterException(
          spec.commandLine(), "--as must be avro, json or npz. Provided value: " + form);
    }
    StreamPlan planned = RunCommand.plan(stream);
    Optional<RangeCalibration> calibration = RangeCalibration.of(stream, planned);
    requireTwice(planned, calibration.isPresent());
    List<ReleaseId> ids = new ArrayList<>();
    calibration.ifPresent(counts -> ids.addAll(LocalSketch.ids(counts.counts())));
    ids.addAll(LocalSketch.ids(planned));
    Map<ReleaseId, Path> files = files(ids);
    Progress progress = new Progress(spec.commandLine().getErr());
    oneEpoch(given, planned).forEach(progress::stage);
    warn(planned, progress);
    progress.warn(
        "", SkewedColumns.warning(given.schema().columns(), given.spreads()).stream().toList());
    stream.hint().ifPresent(format::hint);
    CsvReadings rows = new CsvReadings(csv, csvOptions.read(spec), progress);
    List<Release> releases = new ArrayList<>();
    StreamPlan plan = planned;
    if (calibration.isPresent()) {
      warn(calibration.get().counts(), progress);
      count(calibration.get().counts(), rows, files, releases);
      plan = calibration.get().withRanges(ranges(releases.get(0), progress), progress);
    }
    LocalSketch sketch = new LocalSketch(plan, Randomness.SYSTEM);
    progress.stage("sketching the rows of " + (csv.equals("-") ? "standard input" : csv));
    rows.read(sketch, plan.schema());
    rows.tell();
    if (sketch.readsTwice()) {
      progress.stage("reading the rows again, for " + String.join(" and ", readAgain(plan)));
      long memory = ModelMemory.bytes(Configuration.fromMap(stream.flink()));
      rows.readAgain(sketch, plan.schema(), memory);
    }
    List<Release> sketches = rows.release(sketch);
    RangeLines.of(sketch.counts(), stream.choosesBounds()).forEach(progress::stage);
    for (Release release : sketches) {
      write(release, files.get(release.id()));
      if (calibration.isEmpty()) {
        ChosenRanges.of(release).ifPresent(ranges -> show(ranges, progress));
      }
    }
    releases.addAll(sketches);
    Guarantee guarantee = plan.guarantee(Randomness.SYSTEM);
    progress.stage(length.of(guarantee));
    progress.stage(
        "no ledger remembers this: sketching the same rows again would spend as much again");
    format.print(report(releases, files, guarantee));
    return ExitStatus.DONE;
  }

  private static void warn(StreamPlan plan, Progress progress) {
    progress.warn("", plan.warnings());
  }

  /** Says that a file is one epoch, and what that means for models that follow one another. */
  private static List<String> oneEpoch(StreamConfig given, StreamPlan plan) {
    List<String> lines = new ArrayList<>();
    if (!given.epochs().isAll()) {
      lines.add(
          given.epochs().time().kind() == RowTime.Kind.APPEND
              ? "a file has no append times, so all of its rows are in one epoch, all"
              : "all rows of a file are in one epoch, all, whatever their times: gauze up and gauze"
                  + " send make epochs of them");
    }
    for (SketchPlan sketch : plan.sketches()) {
      if (sketch.mechanism() instanceof TrackingMechanism tracking
          && tracking.waitsForPublished()) {
        Message message = CommandMessage.ONEEPOCH.of(sketch.name(), sketch.mechanism().name());
        lines.addAll(Messages.all("warning: ", List.of(message)));
      }
    }
    return lines;
  }

  /** Releases the counts of the columns of unknown range. */
  private void count(
      StreamPlan plan, CsvReadings rows, Map<ReleaseId, Path> files, List<Release> releases)
      throws IOException {
    LocalSketch sketch = new LocalSketch(plan, Randomness.SYSTEM);
    rows.progress().stage("counting the ranges of columns in the rows of " + csv);
    rows.read(sketch, plan.schema());
    for (Release release : sketch.release()) {
      write(release, files.get(release.id()));
      releases.add(release);
    }
  }

  private static ChosenRanges ranges(Release release, Progress progress) {
    ChosenRanges ranges = ChosenRanges.of(release).orElseThrow();
    show(ranges, progress);
    return ranges;
  }

  /** Shows ranges as a config has them: they are public from now on. */
  private static void show(ChosenRanges ranges, Progress progress) {
    progress.stage("chosen ranges, which are public now, as columns of a config:");
    ranges.lines().forEach(progress::stage);
  }

  private void requireTwice(StreamPlan plan, boolean counted) {
    if (counted && (csv.equals("-") || !Files.isRegularFile(Path.of(csv)))) {
      throw new ParameterException(
          spec.commandLine(),
          "--csv must be a file for columns with range: estimate, whose rows are read twice:"
              + " standard input and pipes are read once. Provided value: "
              + csv);
    }
    if (LocalSketch.readsTwice(plan) && (csv.equals("-") || !Files.isRegularFile(Path.of(csv)))) {
      throw new ParameterException(
          spec.commandLine(),
          "--csv must be a file for "
              + String.join(" and ", readAgain(plan))
              + ", which read the rows twice: standard input and pipes are read once"
              + (readAgain(plan).contains(SelectFit.NAME)
                  ? " (select-fit with readings: 1, too)"
                  : "")
              + ". Provided value: "
              + csv);
    }
  }

  /** Returns the mechanisms that read the rows again. */
  private static List<String> readAgain(StreamPlan plan) {
    return plan.sketches().stream()
        .map(SketchPlan::mechanism)
        .filter(mechanism -> SketchParts.of(mechanism).ofRows().isPresent())
        .map(Mechanism::name)
        .distinct()
        .toList();
  }

  /** Returns the file of each release; refuses to overwrite one. */
  private Map<ReleaseId, Path> files(List<ReleaseId> ids)
      throws IOException, PrivacyRefusalException {
    Map<ReleaseId, Path> files = new LinkedHashMap<>();
    for (ReleaseId id : ids) {
      Optional<Path> taken =
          ReleaseFiles.ENDINGS.stream()
              .map(ending -> out.resolve(ReleaseFiles.name(id) + ending))
              .filter(Files::exists)
              .findFirst();
      if (taken.isPresent()) {
        Message message = CommandMessage.RELEASED.of().with("It is " + taken.get() + ".");
        throw new PrivacyRefusalException(message.line(), null);
      }
      files.put(id, out.resolve(ReleaseFiles.name(id) + "." + form));
    }
    ReleaseFiles.prepareFolder("--out", out);
    return files;
  }

  private static void write(Release release, Path file) throws IOException {
    try {
      ReleaseFile.write(release, file);
    } catch (IOException e) {
      throw new IOException(
          "the release "
              + release.id()
              + " could not be written to "
              + file
              + " ("
              + e.getClass().getSimpleName()
              + ": "
              + e.getMessage()
              + "). If no release of this run has left this machine, delete them all and run"
              + " again.",
          e);
    }
  }

  private static Report report(
      List<Release> releases, Map<ReleaseId, Path> files, Guarantee guarantee) {
    Columns<Release> columns =
        Columns.<Release>create()
            .add("id", "release", release -> release.id().toString())
            .add("mechanism", "mechanism", Release::mechanism)
            .add("contents", "contents", release -> release.payload().kind())
            .add("numbers", "numbers", release -> release.payload().length())
            .add("file", "file", release -> files.get(release.id()).toString());
    return new Report()
        .field("stream", releases.get(0).id().stream())
        .list("releases", columns, releases)
        .field("guarantee", GuaranteeJson.write(guarantee));
  }
}
