package io.gauze.config;

import static io.gauze.config.ConfigKey.LIST;
import static io.gauze.config.ConfigKey.MAP;
import static io.gauze.config.ConfigKey.NUMBER;
import static io.gauze.config.ConfigKey.TEXT;
import static io.gauze.config.ConfigKey.WHOLE;
import static io.gauze.config.ConfigKey.WORD;

import io.gauze.mechanism.ReleaseSchedule;
import io.gauze.row.Grid;

/** The top keys of a config. */
final class StreamKeys {
  private static final String PLANNED = "planned";

  static final ConfigSection TOP =
      ConfigSection.of(
          "",
          ConfigKey.of(
                  "stream",
                  TEXT,
                  "lower-case letters, digits and hyphens, at most 100",
                  "The name of the stream, in ids of releases, the ledger and transactions.")
              .required(),
          ConfigKey.of(
              EncodingFile.KEY,
              TEXT,
              "a file, beside the config",
              "In place of `columns` to `missing`: the file of an encoding that several streams have,"
                  + " so that their releases add up. `gauze check --write-encoding` makes it."),
          ConfigKey.of("columns", LIST, "at least 1", "What the fields of a row mean.")
              .requiredWith("without `encoding`"),
          ConfigKey.of(
                  "intercept",
                  NUMBER,
                  "[`rowBound` / 256, `rowBound`]; with `response` the upper end is smaller",
                  "The value of the constant column of an encoded row.")
              .or(PLANNED),
          ConfigKey.of(
                  "rowBound",
                  NUMBER,
                  "[`intercept`, the largest norm that a row can have]",
                  "The norm B of an encoded row; longer rows are shortened to it. The noise grows with"
                      + " its square.")
              .or(PLANNED),
          ConfigKey.of(
              "response",
              "column or list of columns",
              "of `columns`",
              "The columns to explain. They are shortened apart from the others, so that slopes stay"
                  + " true."),
          ConfigKey.of(
                  "responseBound",
                  NUMBER,
                  "(0, `rowBound`)",
                  "The norm B_y to which the responses are shortened; needs `rowBound` and `response`.")
              .or(PLANNED),
          ConfigKey.of(
                  "missing",
                  WORD,
                  "`reject`, `midpoint`",
                  "What a missing field does: `reject` makes the row a dead letter, `midpoint` encodes"
                      + " the column as 0.")
              .or("`reject`"),
          ConfigKey.of("privacy", MAP, "", "The promise.").required(),
          ConfigKey.of(
                  "snapshots",
                  WHOLE,
                  ConfigKey.range(1, ReleaseSchedule.Snapshots.MOST),
                  "How many snapshots of the table the budget covers; for `unit: key` alone.")
              .requiredWith("with `unit: key`"),
          ConfigKey.of(
              "cumulative",
              WHOLE,
              ConfigKey.range(1, ReleaseSchedule.CumulativeSums.MOST),
              "How many releases of all rows so far the budget covers."),
          ConfigKey.of("epochs", MAP, "", "When something is released.").required(),
          ConfigKey.of("groups", MAP, "", "Public groups, which have releases of their own."),
          ConfigKey.of(
                  "expectedRows",
                  WHOLE,
                  ConfigKey.range(1, Grid.MAX_ROWS),
                  "A public guess of the rows of an epoch and group; of cumulative releases, of the"
                      + " last one. The row bound, sizes and predictions are planned from it.")
              .or(
                  StreamConfig.DEFAULT_EXPECTED_ROWS
                      + "; required with `auto` and where a size is planned"),
          ConfigKey.of("sketches", LIST, "1 to 100", "The sketches that are released.")
              .requiredWith("without `models`"),
          ConfigKey.of("models", LIST, "1 to 100", "The models that are released."),
          ConfigKey.of("kafka", MAP, "", "The broker and its topics."),
          ConfigKey.of("flink", MAP, "", "Settings of Flink."));

  private StreamKeys() {}
}
