package io.gauze.cli;

import io.gauze.accounting.Guarantee;
import io.gauze.config.ConfigException;
import io.gauze.config.EpochSchedule;
import io.gauze.config.StreamConfig;
import io.gauze.local.LocalSketch;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.SketchPlan;
import io.gauze.mechanism.StreamPlan;
import io.gauze.noise.Randomness;
import io.gauze.release.GuaranteeJson;
import io.gauze.release.Release;
import io.gauze.release.ReleaseFile;
import io.gauze.report.ChosenRanges;
import io.gauze.report.Columns;
import io.gauze.report.RangeLines;
import io.gauze.report.Report;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import io.gauze.source.CsvRows;
import io.gauze.stream.SketchParts;
import io.gauze.summary.Progress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
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
  private static final long PROGRESS_EVERY = 50_000;

  @Mixin private ConfigOption config;

  @Option(
      names = "--csv",
      required = true,
      paramLabel = "FILE",
      description = "The rows: a CSV file with a header line, gzip too, - for standard input.")
  private String csv;

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

  /** The rows that were read: exact numbers, which only the operator may see. */
  private record Counts(long rows, long rejected, Optional<String> firstReason) {}

  @Override
  public Integer call()
      throws ConfigException, PrivacyRefusalException, NoFitException, IOException {
    StreamConfig given = config.read();
    given.requirePlainRows("sketch");
    StreamConfig stream = given.withEpochs(EpochSchedule.all());
    checkFile();
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
    if (!given.epochs().isAll()) {
      progress.stage("a file has no append times, so all of its rows are in one epoch, all");
    }
    planned.warnings().forEach(warning -> progress.stage("warning: " + warning));
    List<Release> releases = new ArrayList<>();
    Optional<Counts> counted = Optional.empty();
    StreamPlan plan = planned;
    if (calibration.isPresent()) {
      counted = Optional.of(count(calibration.get().counts(), files, releases, progress));
      plan = calibration.get().withRanges(ranges(releases.get(0), progress), progress);
    }
    LocalSketch sketch = new LocalSketch(plan, Randomness.SYSTEM);
    progress.stage("sketching the rows of " + (csv.equals("-") ? "standard input" : csv));
    Counts counts = read(sketch, plan.schema(), progress);
    if (counted.isPresent()) {
      requireUnchanged(counted.get(), counts);
    }
    tell(counts, progress);
    if (sketch.readsTwice()) {
      sketch.readAgain();
      progress.stage("reading the rows again, for " + String.join(" and ", readAgain(plan)));
      requireUnchanged(counts, read(sketch, plan.schema(), progress));
    }
    List<Release> sketches = sketch.release();
    RangeLines.of(sketch.counts()).forEach(progress::stage);
    for (Release release : sketches) {
      write(release, files.get(release.id()));
      if (counted.isEmpty()) {
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

  private void checkFile() {
    boolean readable =
        csv.equals("-") || (Files.isReadable(Path.of(csv)) && !Files.isDirectory(Path.of(csv)));
    if (!readable) {
      throw new ParameterException(
          spec.commandLine(), "--csv must be a file that can be read. Provided value: " + csv);
    }
  }

  /** Releases the counts of the columns of unknown range. */
  private Counts count(
      StreamPlan plan, Map<ReleaseId, Path> files, List<Release> releases, Progress progress)
      throws IOException {
    plan.warnings().forEach(warning -> progress.stage("warning: " + warning));
    LocalSketch sketch = new LocalSketch(plan, Randomness.SYSTEM);
    progress.stage("counting the ranges of columns in the rows of " + csv);
    Counts counts = read(sketch, plan.schema(), progress);
    for (Release release : sketch.release()) {
      write(release, files.get(release.id()));
      releases.add(release);
    }
    return counts;
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
              + ", which read the rows twice: standard input and pipes are read once. Provided value: "
              + csv);
    }
  }

  /** Returns the mechanisms that read the rows again. */
  private static List<String> readAgain(StreamPlan plan) {
    return plan.sketches().stream()
        .map(SketchPlan::mechanism)
        .filter(mechanism -> SketchParts.of(mechanism).readsAgain())
        .map(Mechanism::name)
        .distinct()
        .toList();
  }

  private void requireUnchanged(Counts first, Counts second) throws IOException {
    if (first.rows() != second.rows() || first.rejected() != second.rejected()) {
      throw new IOException(
          csv
              + " must hold the same rows when it is read again, but it has changed, so nothing was"
              + " released: sketch a file that nobody writes to");
    }
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
        throw new PrivacyRefusalException(
            "already released: "
                + taken.get()
                + " is there. A second sum of the same rows under other noise would reveal more"
                + " than the guarantee allows, so nothing is overwritten: use that release, or name"
                + " another --out if these are other rows.",
            null);
      }
      files.put(id, out.resolve(ReleaseFiles.name(id) + "." + form));
    }
    ReleaseFiles.prepareFolder("--out", out);
    return files;
  }

  private Counts read(LocalSketch sketch, RowSchema schema, Progress progress) throws IOException {
    long rows = 0;
    long rejected = 0;
    Optional<String> first = Optional.empty();
    try (CsvRows records = CsvRows.open(csv, schema)) {
      while (records.hasNext()) {
        try {
          sketch.add(records.next());
          rows++;
        } catch (RowRejectedException e) {
          first = first.or(() -> Optional.of(e.getMessage()));
          rejected++;
        }
        if ((rows + rejected) % PROGRESS_EVERY == 0) {
          progress.count("rows read", rows + rejected);
        }
      }
    } catch (UncheckedIOException e) {
      throw new IOException(
          csv + " cannot be read to its end, so nothing was released: " + e.getCause().getMessage(),
          e);
    }
    return new Counts(rows, rejected, first);
  }

  private static void tell(Counts counts, Progress progress) {
    progress.stage(
        String.format(
            Locale.ROOT,
            "%,d rows sketched (an exact number, for you alone: no release holds it)",
            counts.rows()));
    counts
        .firstReason()
        .ifPresent(
            reason ->
                progress.stage(
                    String.format(
                        Locale.ROOT,
                        "warning: %,d rows were left out; the first one: %s",
                        counts.rejected(),
                        reason)));
    if (counts.rows() == 0) {
      progress.stage("warning: there was no row to sketch: the releases hold noise alone");
    }
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
