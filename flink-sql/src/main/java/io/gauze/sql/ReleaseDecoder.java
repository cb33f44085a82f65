package io.gauze.sql;

import io.gauze.release.Release;
import io.gauze.report.ServiceMessage;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.factories.DynamicTableFactory;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;

/** Makes rows of the bytes of releases. Travels in the job. */
final class ReleaseDecoder implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The name of the format. */
  static final String FORMAT = "gauze-release";

  static final ConfigOption<Boolean> IGNORE_PARSE_ERRORS =
      ConfigOptions.key("ignore-parse-errors")
          .booleanType()
          .defaultValue(false)
          .withDescription(
              "Whether the job goes on when a record is no release. It is then a row of NULLs if the"
                  + " table has the column damage, which says why, and skipped if not.");

  /** What becomes of a record that is no release. */
  enum Damaged {
    FAILS,
    SKIPPED,
    NULLS
  }

  private final ArrayList<String> names;
  private final Damaged damaged;

  private ReleaseDecoder(List<String> names, Damaged damaged) {
    this.names = new ArrayList<>(names);
    this.damaged = damaged;
  }

  /**
   * Checks a table, and returns what becomes of its damaged records.
   *
   * @throws ValidationException if the format does not have its columns
   */
  static Damaged check(DynamicTableFactory.Context table, ReadableConfig options) {
    List<String> all =
        ReleaseColumns.check((RowType) table.getPhysicalRowDataType().getLogicalType());
    if (!options.get(IGNORE_PARSE_ERRORS)) {
      return Damaged.FAILS;
    }
    return all.contains(ReleaseColumns.DAMAGE) ? Damaged.NULLS : Damaged.SKIPPED;
  }

  /**
   * Returns the decoder of a table.
   *
   * @param read the columns that a query reads, of a table that was checked
   */
  static ReleaseDecoder of(DataType read, Damaged damaged) {
    return new ReleaseDecoder(DataType.getFieldNames(read), damaged);
  }

  /**
   * Returns the row of a record; empty if it is skipped.
   *
   * @throws IOException if the record is no release, and such records are not ignored
   */
  Optional<RowData> row(byte[] record) throws IOException {
    Release release;
    try {
      release = Release.fromBytes(record);
    } catch (IllegalArgumentException e) {
      if (damaged == Damaged.FAILS) {
        throw new IOException(
            RefusedException.of(ServiceMessage.DAMAGED, e.getMessage()).explained()
                + " With '"
                + IGNORE_PARSE_ERRORS.key()
                + "' = 'true' the job goes on.",
            e);
      }
      return damaged == Damaged.NULLS
          ? Optional.of(ReleaseColumns.damaged(names, e.getMessage()))
          : Optional.empty();
    }
    return Optional.of(ReleaseColumns.row(names, release, record));
  }
}
