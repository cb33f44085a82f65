package io.gauze.cli.option;

import io.gauze.config.RowTime;
import io.gauze.config.StreamConfig;
import io.gauze.source.file.CsvOptions;
import io.gauze.source.file.CsvRows;
import io.gauze.source.file.SyntheticRows;
import java.io.IOException;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options that say which rows are sent. */
public final class RowsOption {
  private static final long MOST_ROWS = 1_000_000_000_000L;

  /** Rows of a made-up user, on average, as a share of the most that count. */
  private static final int USERS_ROWS = 2;

  @Option(
      names = "--csv",
      paramLabel = "FILE",
      description = "Rows with a header line, gzip too, - for standard input.")
  private Optional<String> csv;

  @Option(
      names = "--synthetic",
      paramLabel = "N",
      description = {
        "N made-up rows from the public ranges, typical values and spreads, for a rehearsal without"
            + " data. Columns are independent, so a fit finds no effects. Refused if the topic"
            + " holds other rows: see --force."
      })
  private Optional<Long> synthetic;

  /** Returns whether the rows are made up. */
  public boolean isSynthetic() {
    return synthetic.isPresent();
  }

  public void check(CommandSpec spec) {
    csv.ifPresent(file -> CsvFileOptions.requireReadable(spec, file));
    long rows = synthetic.orElse(1L);
    require(
        rows >= 1 && rows <= MOST_ROWS,
        String.format(
            Locale.ROOT, "--synthetic must be in [1, %d]. Provided value: %d", MOST_ROWS, rows),
        spec);
  }

  private static void require(boolean holds, String message, CommandSpec spec) {
    if (!holds) {
      throw new ParameterException(spec.commandLine(), message);
    }
  }

  /** Opens the rows, which have the fields that the config names. */
  public CsvRows open(StreamConfig stream, CsvOptions options) throws IOException {
    return isSynthetic()
        ? CsvRows.of(made(stream), stream.schema())
        : CsvRows.open(
            csv.orElseThrow(),
            options,
            CsvRows.Reader.of(stream.schema(), stream.keyField().stream().toList()));
  }

  private SyntheticRows made(StreamConfig stream) {
    SyntheticRows rows =
        new SyntheticRows(stream.schema(), stream.spreads(), synthetic.orElseThrow());
    stream
        .kafka()
        .rows()
        .key()
        .flatMap(key -> key.field())
        .ifPresent(key -> rows.with(key, Long::toString));
    stream
        .unit()
        .field()
        .ifPresent(
            user ->
                rows.with(user, i -> "user-" + i * USERS_ROWS / Math.max(1, stream.unit().rows())));
    stream.groups().ifPresent(groups -> rows.with(groups.field(), groups.values()));
    if (stream.epochs().time().kind() == RowTime.Kind.EVENT) {
      rows.with(stream.epochs().time().field(), i -> Instant.now().toString());
    }
    return rows;
  }

  /** Says which rows these are. */
  public String what() {
    return isSynthetic()
        ? synthetic.get() + " made-up rows"
        : csv.get().equals("-") ? "the rows of standard input" : "the rows of " + csv.get();
  }
}
