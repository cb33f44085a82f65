package io.gauze.cli.rows;

import io.gauze.cli.option.CommandMessage;
import io.gauze.config.ModelMemory;
import io.gauze.local.LocalSketch;
import io.gauze.release.Release;
import io.gauze.report.Figures;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import io.gauze.source.file.CsvOptions;
import io.gauze.source.file.CsvRows;
import io.gauze.summary.Progress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads the rows of a CSV file as often as sketches need them: each time the same ones. */
public final class CsvReadings {
  private static final long PROGRESS_EVERY = 50_000;

  private final String csv;
  private final CsvOptions options;
  private final Progress progress;
  private Optional<Counts> counted = Optional.empty(); // by the first reading

  /** The rows that were read: exact numbers, which only the operator may see. */
  private record Counts(long rows, LeftOutRows leftOut) {}

  /**
   * Creates a reader that has read nothing.
   *
   * @param csv the file, or - for standard input
   * @param options how it is written
   * @param progress is told how many rows were read, now and then
   */
  public CsvReadings(String csv, CsvOptions options, Progress progress) {
    this.csv = csv;
    this.options = options;
    this.progress = progress;
  }

  public Progress progress() {
    return progress;
  }

  /**
   * Adds all rows to a sketch.
   *
   * @throws IOException if the file cannot be read, or if it has changed since it was read before
   */
  public void read(LocalSketch sketch, RowSchema schema) throws IOException {
    Counts counts = counts(sketch, schema);
    Counts first = counted.orElse(counts);
    if (first.rows() != counts.rows() || first.leftOut().rows() != counts.leftOut().rows()) {
      throw new IOException(changed());
    }
    counted = Optional.of(counts);
  }

  private Counts counts(LocalSketch sketch, RowSchema schema) throws IOException {
    long rows = 0;
    LeftOutRows leftOut = new LeftOutRows();
    try (CsvRows records = CsvRows.open(csv, options, CsvRows.Reader.of(schema))) {
      while (records.hasNext()) {
        try {
          sketch.add(records.next());
          rows++;
        } catch (RowRejectedException e) {
          leftOut.add(e.getMessage(), records.line());
        }
        if ((rows + leftOut.rows()) % PROGRESS_EVERY == 0) {
          progress.count("rows read", rows + leftOut.rows());
        }
      }
    } catch (CsvRows.HeaderException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException(
          csv + " cannot be read to its end, so nothing was released: " + e.getMessage(), e);
    }
    return new Counts(rows, leftOut);
  }

  /**
   * Adds all rows once more, for what reads them twice, and says which models read them more often.
   *
   * @param memory the bytes that rows of models may take
   * @throws IOException as {@link #read}
   */
  public void readAgain(LocalSketch sketch, RowSchema schema, long memory) throws IOException {
    sketch.readAgain(memory, () -> read(sketch, schema));
    read(sketch, schema);
    for (String model : sketch.modelsReadAgain()) {
      progress.stage(
          String.format(
              Locale.ROOT,
              "reading the rows several times for model %s, since there is no room for them; %s is"
                  + " %,d bytes",
              model,
              ModelMemory.LIMIT.key(),
              memory));
    }
  }

  /**
   * Releases sketches, which may read the rows once more for each pass of a fit.
   *
   * @throws IOException as {@link #read}
   */
  public List<Release> release(LocalSketch sketch) throws IOException {
    try {
      return sketch.release();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } catch (ConcurrentModificationException e) {
      throw new IOException(changed(), e);
    }
  }

  private String changed() {
    return csv
        + " must hold the same rows when it is read again, but it has changed, so nothing was"
        + " released: sketch a file that nobody writes to";
  }

  /** Says how many rows were read. */
  public void tell() {
    Counts counts = counted.orElseThrow();
    progress.stage(
        String.format(
            Locale.ROOT,
            "%s sketched (an exact number, for you alone: no release holds it)",
            Figures.rows(counts.rows())));
    counts.leftOut().warning(counts.rows()).forEach(progress::stage);
    if (counts.rows() == 0) {
      progress.warn("", List.of(CommandMessage.NOROWS.of()));
    }
  }
}
