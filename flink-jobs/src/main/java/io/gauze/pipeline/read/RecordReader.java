package io.gauze.pipeline.read;

import io.gauze.config.EpochSchedule;
import io.gauze.config.RowTime;
import io.gauze.kafka.RowRecord;
import io.gauze.row.EncodedRow;
import io.gauze.row.RowEncoder;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import io.gauze.row.Truth;
import io.gauze.source.Change;
import io.gauze.source.RecordDecoder;
import io.gauze.source.RowFields;
import io.gauze.source.RowImage;
import io.gauze.stream.LateRowException;
import io.gauze.stream.RowInput;
import io.gauze.stream.SketchJobSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.flink.metrics.MetricGroup;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads records into rows, and decides by the record alone in which group and epoch a row is. Its
 * exceptions never contain a value. Not thread-safe.
 */
public final class RecordReader {
  private static final Logger LOG = LoggerFactory.getLogger(RecordReader.class);

  private final SketchJobSettings settings;
  private final EpochSchedule schedule;
  private final RowFields fields;
  private final RecordDecoder decoder;
  private final RowEncoder encoder;
  private final NarrowRanges ranges = new NarrowRanges();
  private final RowImage before;
  private final RowImage after;
  private final Map<String, String> groups;
  private final int groupField;
  private final int timeField;
  private final EventTimes times;
  private String group = SketchJobSettings.NO_GROUP;

  /**
   * Creates a reader.
   *
   * @param schedule the epochs, with the first epoch of the job's first start
   */
  public RecordReader(SketchJobSettings settings, EpochSchedule schedule) {
    this.settings = settings;
    this.schedule = schedule;
    RowInput input = settings.input();
    RowSchema schema = settings.plan().schema();
    List<String> extras = new ArrayList<>();
    if (input.hasGroups()) {
      extras.add(input.groupField());
    }
    settings.userField().ifPresent(extras::add);
    if (schedule.time().kind() == RowTime.Kind.EVENT) {
      extras.add(schedule.time().field());
    }
    times = new EventTimes(schedule.time());
    fields = input.fields(schema, extras).withTime(schedule.time().field());
    groupField = fields.index(input.groupField());
    timeField = fields.index(schedule.time().field());
    groups =
        Truth.withSpellings(
            input.groups().stream().collect(Collectors.toMap(Function.identity(), value -> value)));
    decoder = input.decoder(fields);
    encoder = new RowEncoder(schema);
    before = new RowImage(fields);
    after = new RowImage(fields, encoder);
  }

  /**
   * Registers the metrics that may be shown: clipped rows, and clamped values in all and by column.
   */
  void register(MetricGroup metrics) {
    metrics.counter("clippedRows", new Tally(encoder::clipped));
    List<String> names = settings.plan().schema().columns().stream().map(c -> c.name()).toList();
    metrics.counter("clampedValues", new Tally(this::clampedValues));
    for (int i = 0; i < names.size(); i++) {
      int index = i;
      metrics
          .addGroup("column", names.get(i))
          .counter("clampedRows", new Tally(() -> encoder.clamped(index)));
    }
  }

  private long clampedValues() {
    int columns = settings.plan().schema().columns().size();
    return IntStream.range(0, columns).mapToLong(encoder::clamped).sum();
  }

  /** Logs a warning, at most once a minute, if the columns' ranges clamp many values. */
  void checkRanges() {
    ranges
        .look(encoder.counts(), System.currentTimeMillis())
        .ifPresent(text -> LOG.warn("Stream {}: {}", settings.plan().stream(), text));
  }

  /**
   * Reads a record that is one new row. Afterwards {@link #encoder} and {@link #group} hold the
   * row, unless it is before the first epoch.
   *
   * @return the epoch of the row
   */
  public long read(RowRecord record) throws RowRejectedException, LateRowException {
    boolean event = schedule.time().kind() == RowTime.Kind.EVENT;
    long epoch = event ? EpochSchedule.LATE : epochOfTimestamp(record);
    byte[] value = record.value().orElse(null);
    if (value == null) {
      throw new RowRejectedException(
          "no value; a deletion has no meaning on an append-only stream");
    }
    if (decoder.decode(value, before, after) == Change.DELETE) {
      throw new RowRejectedException(
          "the row is marked as deleted; a deletion has no meaning on an append-only stream");
    }
    if (event) {
      epoch = epochOfEvent(record);
    }
    if (epoch < schedule.firstEpoch()) {
      return epoch;
    }
    group = group(after);
    after.accept();
    return epoch;
  }

  /** The encoder, which has accepted the row of the last {@link #read}. */
  public RowEncoder encoder() {
    return encoder;
  }

  /** The group of the row of the last {@link #read}. */
  public String group() {
    return group;
  }

  /**
   * Returns the epoch of the record's timestamp, which is the append time unless the config trusts
   * the producer's time.
   */
  private long epochOfTimestamp(RowRecord record) throws RowRejectedException {
    if (schedule.isAll()) {
      return 0;
    }
    requireAppendTime(record);
    return schedule.epochOf(record.timestamp());
  }

  void requireAppendTime(RowRecord record) throws RowRejectedException {
    if (!record.appendTime() && schedule.time().kind() != RowTime.Kind.PRODUCER) {
      throw new RowRejectedException(
          "the record has no append time; set message.timestamp.type=LogAppendTime on the rows topic");
    }
  }

  private long epochOfEvent(RowRecord record) throws RowRejectedException, LateRowException {
    requireAppendTime(record);
    if (!after.hasExtra(timeField)) {
      throw after.fault(timeField).isPresent()
          ? new RowRejectedException(
              "field " + schedule.time().field() + " " + after.fault(timeField).get())
          : times.bad("is missing");
    }
    long time = times.millis(after.extra(timeField), record.timestamp());
    long epoch = schedule.epochOf(time, record.timestamp());
    if (epoch == EpochSchedule.AHEAD) {
      throw new RowRejectedException(
          "field "
              + schedule.time().field()
              + " is ahead of the append time by more than epochs.maxClockSkew; check the producer's clock");
    }
    if (epoch == EpochSchedule.LATE) {
      throw new LateRowException(
          "appended after the end of its epoch and epochs.allowedLateness; check the row's time, or"
              + " raise epochs.allowedLateness in a new stream");
    }
    return epoch;
  }

  private String group(RowImage image) throws RowRejectedException {
    if (!settings.input().hasGroups()) {
      return SketchJobSettings.NO_GROUP;
    }
    String field = fields.names().get(groupField);
    if (!image.hasExtra(groupField)) {
      String fault = image.fault(groupField).map(RowImage::withoutAdvice).orElse("is missing");
      throw new RowRejectedException(
          "field " + field + " " + fault + "; it must be one of groups.values");
    }
    String found = groups.get(image.extra(groupField));
    if (found == null) {
      throw new RowRejectedException(
          "field " + field + " is no known group; it must be one of groups.values");
    }
    return found;
  }

  /** Returns the text of an extra field of the last row; empty if the field is missing. */
  String textOf(String field) {
    int index = fields.index(field);
    return after.hasExtra(index) ? after.extra(index) : "";
  }

  /** Reads a record of a changelog. Its images are then available through {@link #image}. */
  public Change readChange(RowRecord record) throws RowRejectedException {
    byte[] value = record.value().orElse(null);
    if (value != null) {
      return decoder.decode(value, before, after);
    }
    before.clear();
    after.clear();
    // Changelogs send a record without value after a deletion, so that compaction removes the key.
    return settings.input().format().isChangelog() ? Change.NONE : Change.DELETE;
  }

  boolean hasBefore() {
    return before.isPresent();
  }

  /**
   * Encodes an image of the record that was read.
   *
   * @param isAfter true for the image after the change, false for the image before it
   * @param out receives the row
   * @return the group of the row
   */
  public String image(boolean isAfter, EncodedRow out) throws RowRejectedException {
    RowImage image = isAfter ? after : before;
    String itsGroup = group(image);
    image.encode(out);
    return itsGroup;
  }
}
