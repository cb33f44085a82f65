package io.gauze.pipeline.read;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.kafka.DeadLetter;
import io.gauze.kafka.RowRecord;
import io.gauze.kafka.RowRecords;
import io.gauze.mechanism.BudgetScope;
import io.gauze.pipeline.OperatorFixture;
import io.gauze.source.RecordSize;
import io.gauze.source.format.RecordFormat;
import io.gauze.stream.CellMessage;
import io.gauze.stream.Offsets;
import io.gauze.stream.PrivacyConflictException;
import io.gauze.stream.RowInput;
import io.gauze.stream.SketchJobSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class RouteOperatorTest {
  private static final SketchJobSettings BY_RECORD_KEY = OperatorFixture.small();
  private static final SketchJobSettings BY_FIELD = byField("id");

  private final OperatorFixture fixture = new OperatorFixture();
  private final List<Harness> harnesses = new ArrayList<>();
  private int told;

  /** A shorter name. */
  private static final class Harness
      extends OneInputStreamOperatorTestHarness<RowRecords, RoutedRecord> {
    Harness(SketchJobSettings settings, OperatorFixture fixture) throws Exception {
      super(
          new RouteOperator(settings),
          OperatorFixture.serializer(RowRecords.TYPE),
          fixture.environment());
    }
  }

  private static SketchJobSettings byField(String field) {
    return OperatorFixture.small()
        .withInput(
            new RowInput(
                new RecordFormat.Json(), false, field, "", List.of(SketchJobSettings.NO_GROUP)));
  }

  @AfterEach
  void close() throws Exception {
    for (Harness each : harnesses) {
      each.close();
    }
  }

  /** Before that, partials of the rows may still be on their way. */
  @Test
  void progressIsToldWhenTheCheckpointAfterItIsComplete() throws Exception {
    Harness harness = opened(BY_RECORD_KEY);
    OperatorFixture.sendRows(harness, keyed(0, 4, "x"), keyed(1, 9, "y"));
    harness.prepareSnapshotPreBarrier(1);
    harness.snapshot(1, 1);
    OperatorFixture.sendRows(harness, keyed(0, 5, "x"));
    harness.snapshot(2, 2);
    OperatorFixture.sendRows(harness, keyed(0, 6, "x"));
    assertThat(progress(harness)).isEmpty();

    harness.notifyOfCompletedCheckpoint(1);
    assertThat(progress(harness)).containsOnly(Offsets.of(Map.of(0, 5L, 1, 10L)));
    harness.notifyOfCompletedCheckpoint(2);
    assertThat(progress(harness)).containsOnly(Offsets.of(Map.of(0, 6L, 1, 10L)));
    harness.notifyOfCompletedCheckpoint(2);
    assertThat(progress(harness)).isEmpty();
  }

  @Test
  void aCheckpointThatNeverCompletesTellsNothing() throws Exception {
    Harness harness = opened(BY_RECORD_KEY);
    OperatorFixture.sendRows(harness, keyed(0, 0, "x"));
    harness.snapshot(1, 1);
    OperatorFixture.sendRows(harness, keyed(0, 1, "x"));
    harness.snapshot(2, 2);
    harness.notifyOfCompletedCheckpoint(2);
    assertThat(progress(harness)).containsOnly(Offsets.of(Map.of(0, 2L)));
  }

  @Test
  void whatWasReadBeforeARestoreIsToldAgain() throws Exception {
    Harness one = opened(BY_RECORD_KEY);
    OperatorFixture.sendRows(one, keyed(0, 7, "x"));
    Harness two = opened(BY_RECORD_KEY);
    OperatorFixture.sendRows(
        two, keyed(1, 3, "x"), keyed(0, 2, "x")); // partition 0 had been here before
    OperatorSubtaskState both =
        AbstractStreamOperatorTestHarness.repackageState(one.snapshot(1, 1), two.snapshot(1, 1));

    Harness after = restored(BY_RECORD_KEY, both);
    after.snapshot(5, 5);
    after.notifyOfCompletedCheckpoint(5);
    assertThat(progress(after)).containsOnly(Offsets.of(Map.of(0, 8L, 1, 4L)));
  }

  @Test
  void theEndOfTheInputIsToldAsSuch() throws Exception {
    Harness harness = opened(BY_RECORD_KEY);
    OperatorFixture.sendRows(harness, keyed(0, 4, "x"));
    harness.endInput();
    assertThat(messages(harness))
        .hasSize(1)
        .allSatisfy(
            message -> {
              assertThat(message.kind()).isEqualTo(CellMessage.Kind.PROGRESS_AT_END);
              assertThat(message.offsets()).isEqualTo(Offsets.of(Map.of(0, 5L)));
            });
    harness.snapshot(1, 1);
    harness.notifyOfCompletedCheckpoint(1);
    assertThat(messages(harness)).as("nothing after the end").isEmpty();
  }

  @Test
  void equalKeysGoTogetherAndOthersApart() throws Exception {
    Harness harness = opened(BY_RECORD_KEY);
    OperatorFixture.sendRows(
        harness, keyed(0, 0, "x"), keyed(3, 1, "x"), keyed(0, 1, "y"), keyed(0, 2, "z"));
    List<String> keys = OperatorFixture.take(harness).stream().map(RoutedRecord::key).toList();
    assertThat(keys.get(0)).isEqualTo(keys.get(1)).doesNotContain("x");
    assertThat(keys.stream().distinct()).hasSize(3);
  }

  private static SketchJobSettings users(RecordFormat format, String keyField) {
    return OperatorFixture.settings(
            OperatorFixture.plan(1, 512, BudgetScope.users("id", 2)), OperatorFixture.SECONDS)
        .withInput(new RowInput(format, false, keyField, "", List.of(SketchJobSettings.NO_GROUP)));
  }

  private List<String> keys(SketchJobSettings settings, RowRecord... records) throws Exception {
    Harness harness = opened(settings);
    OperatorFixture.sendRows(harness, records);
    assertThat(harness.getSideOutput(DeadLetterOutputs.DEAD)).isNull();
    return OperatorFixture.take(harness).stream().map(RoutedRecord::key).toList();
  }

  /** Else a user who is written in three ways would have three times as many rows. */
  @Test
  void aUserIsOneHoweverTheNumberIsWritten() throws Exception {
    RecordFormat json = new RecordFormat.Json();
    RecordFormat csv = new RecordFormat.Csv(List.of("id"), ',');
    assertThat(
            keys(
                users(json, "id"),
                value(0, "{\"id\":1}"),
                value(1, "{\"id\":1.0}"),
                value(2, "{\"id\":1e0}"),
                value(3, "{\"id\":\"1.0\"}")))
        .hasSize(4)
        .containsOnly(keys(users(csv, "id"), value(0, "1")).get(0))
        .containsOnly(keys(users(csv, "id"), value(0, "1.00")).get(0))
        .containsOnly(keys(users(json, ""), keyed(0, 0, "1")).get(0))
        .containsOnly(keys(users(json, ""), keyed(0, 0, "10e-1")).get(0));
    assertThat(
            keys(
                users(json, "id"),
                value(0, "{\"id\":9007199254740993}"),
                value(1, "{\"id\":9007199254740992}"),
                value(2, "{\"id\":\"v1.0\"}"),
                value(3, "{\"id\":\"v1\"}")))
        .doesNotHaveDuplicates();
  }

  /** Versions, say, are texts. */
  @Test
  void aKeyOfATableIsANumberWhereTheFormatHasNumbers() throws Exception {
    List<String> keys =
        keys(
            BY_FIELD,
            value(0, "{\"id\":1.10}"),
            value(1, "{\"id\":11e-1}"),
            value(2, "{\"id\":\"1.1\"}"),
            value(3, "{\"id\":\"1.10\"}"));
    assertThat(keys.subList(0, 3)).containsOnly(keys.get(0));
    assertThat(keys.get(3)).isNotEqualTo(keys.get(0));
  }

  @Test
  void aKeyFieldIsTakenAsItIsWritten() throws Exception {
    Harness harness = opened(BY_FIELD);
    OperatorFixture.sendRows(
        harness,
        value(0, "{\"id\":9007199254740993,\"a\":1}"),
        value(1, "{\"id\":9007199254740992,\"a\":1}"),
        value(2, "{\"id\":\"9007199254740993\"}"));
    List<String> keys = OperatorFixture.take(harness).stream().map(RoutedRecord::key).toList();
    assertThat(keys.get(0)).as("not one double").isNotEqualTo(keys.get(1));
    assertThat(keys.get(0)).isEqualTo(keys.get(2));
  }

  /** A deletion has no fields; its record's key is the same text. */
  @Test
  void aTombstoneGoesWhereItsKeyFieldWent() throws Exception {
    SketchJobSettings upserts =
        OperatorFixture.small()
            .withInput(
                new RowInput(
                    new RecordFormat.Json(), true, "id", "", List.of(SketchJobSettings.NO_GROUP)));
    Harness harness = opened(upserts);
    OperatorFixture.sendRows(
        harness, value(0, "{\"id\":17}"), keyed(0, 1, "17"), keyed(0, 2, "18"));
    List<String> keys = OperatorFixture.take(harness).stream().map(RoutedRecord::key).toList();
    assertThat(keys.get(1)).isEqualTo(keys.get(0));
    assertThat(keys.get(2)).isNotEqualTo(keys.get(0));
  }

  /** Else one key would have two rows, of which a deletion removes one. */
  @Test
  void aKeyOfTheRecordIsItsValueWhateverIsAroundIt() throws Exception {
    String plain = "{\"schema\":{\"type\":\"struct\"},\"payload\":{\"id\":7}}";
    String withDefault =
        "{\"schema\":{\"type\":\"struct\",\"default\":0},\"payload\":{\"id\":7.0}}";
    RowRecord[] records = {keyed(0, 0, plain), keyed(0, 1, withDefault), keyed(0, 2, "{\"id\":7}")};
    assertThat(keys(BY_RECORD_KEY, records))
        .hasSize(3)
        .containsOnly(keys(BY_RECORD_KEY, records).get(0));
    assertThat(keys(users(new RecordFormat.Json(), ""), keyed(0, 0, "\"1.0\""), keyed(0, 1, "1")))
        .hasSize(2)
        .containsOnly(keys(users(new RecordFormat.Json(), ""), keyed(0, 0, "1")).get(0));
    SketchJobSettings bytes = BY_RECORD_KEY.withInput(BY_RECORD_KEY.input().comparingBytes());
    assertThat(keys(bytes, records)).doesNotHaveDuplicates();
  }

  /** Keys in it have other fingerprints, under which rows would stay for ever. */
  @Test
  void stateOfKeysAsBytesIsNotThatOfValues() throws Exception {
    SketchJobSettings values = table(false);
    SketchJobSettings bytes = table(true);
    assertThat(values.series()).isEqualTo(bytes.series());
    OperatorSubtaskState state = opened(bytes).snapshot(1, 1);
    assertThatThrownBy(() -> restored(values, state))
        .isInstanceOf(PrivacyConflictException.class)
        .hasMessageContaining("The restored state of stream seconds");
  }

  private static SketchJobSettings table(boolean bytes) {
    RowInput input =
        new RowInput(new RecordFormat.Json(), true, "", "", List.of(SketchJobSettings.NO_GROUP));
    return OperatorFixture.settings(
            OperatorFixture.plan(1, 512, BudgetScope.keys(3)), OperatorFixture.SECONDS)
        .withInput(bytes ? input.comparingBytes() : input);
  }

  @Test
  void aRowThatIsMarkedAsDeletedGoesWhereItsKeyFieldWent() throws Exception {
    List<String> keys =
        keys(BY_FIELD, value(0, "{\"id\":17}"), value(1, "{\"id\":17,\"__deleted\":\"true\"}"));
    assertThat(keys.get(1)).isEqualTo(keys.get(0));
  }

  /** They would be dead letters again at each start that reads the log again. */
  @Test
  void rowsBeforeTheFirstEpochAreNotLookedAt() throws Exception {
    Harness harness = opened(BY_RECORD_KEY);
    OperatorFixture.sendRows(
        harness, new RowRecord(0, 0, -1, true, Optional.empty(), Optional.empty()));
    assertThat(fixture.count("rowsBeforeFirstEpoch")).isEqualTo(1);
    assertThat(harness.getSideOutput(DeadLetterOutputs.DEAD)).isNull();
    harness.snapshot(1, 1);
    harness.notifyOfCompletedCheckpoint(1);
    assertThat(progress(harness)).as("it counts as read").containsOnly(Offsets.of(Map.of(0, 1L)));
  }

  @Test
  void recordsWithoutKeyAreDeadLetters() throws Exception {
    Harness byRecord = opened(BY_RECORD_KEY);
    OperatorFixture.sendRows(byRecord, value(0, "{}"), keyed(0, 1, ""));
    Harness byField = opened(BY_FIELD);
    OperatorFixture.sendRows(
        byField,
        value(0, "{\"a\":1}"),
        value(1, "{\"id\":null}"),
        value(2, "no json"),
        new RowRecord(0, 3, 1, true, Optional.empty(), Optional.empty()));
    assertThat(reasons(byRecord))
        .hasSize(2)
        .allSatisfy(reason -> assertThat(reason).contains("the record has no key"));
    assertThat(reasons(byField))
        .satisfiesExactly(
            reason -> assertThat(reason).contains("field id, the key, is missing"),
            reason -> assertThat(reason).contains("field id, the key, is missing"),
            reason -> assertThat(reason).contains("not a JSON object"),
            reason -> assertThat(reason).contains("no value"));
    byField.snapshot(1, 1);
    byField.notifyOfCompletedCheckpoint(1);
    assertThat(progress(byField)).as("they count as read").containsOnly(Offsets.of(Map.of(0, 4L)));
  }

  @Test
  void refusesTheStateOfAnotherConfig() throws Exception {
    OperatorSubtaskState state = opened(BY_RECORD_KEY).snapshot(1, 1);
    SketchJobSettings other = OperatorFixture.small("other-rows", "ledger");
    assertThatThrownBy(() -> restored(other, state))
        .isInstanceOf(PrivacyConflictException.class)
        .hasMessageContaining("The restored state of stream seconds");
  }

  @Test
  void aLogThatGoesBackIsNotReadAgain() throws Exception {
    Harness harness = opened(BY_RECORD_KEY);
    OperatorFixture.sendRows(harness, keyed(0, 4, "x"), keyed(1, 9, "y"), keyed(0, 5, "x"));
    OperatorSubtaskState state = harness.snapshot(1, 1);
    Harness after = restored(BY_RECORD_KEY, state);
    OperatorFixture.sendRows(after, keyed(0, 6, "x"));
    assertThatThrownBy(() -> OperatorFixture.sendRows(after, keyed(1, 3, "x")))
        .isInstanceOf(PrivacyConflictException.class)
        .hasMessageContaining("was read up to offset 10, and now gives offset 3.");
  }

  /** Flink would write it to disk on its way to another task. */
  @Test
  void recordsThatAreTooLongAreDeadLettersBeforeTheyGoOn() throws Exception {
    Harness harness = opened(BY_RECORD_KEY);
    byte[] longest = "x".repeat(RecordSize.MAX_BYTES).getBytes(UTF_8);
    byte[] tooLong = new byte[RecordSize.MAX_BYTES + 1];
    OperatorFixture.sendRows(
        harness,
        new RowRecord(0, 0, 1, true, Optional.of(longest), Optional.of(longest)),
        new RowRecord(0, 1, 1, true, Optional.of(longest), Optional.of(tooLong)),
        new RowRecord(0, 2, 1, true, Optional.of(tooLong), Optional.of(longest)));
    assertThat(harness.extractOutputValues()).hasSize(1);
    assertThat(reasons(harness))
        .satisfiesExactly(
            reason -> assertThat(reason).startsWith("record longer than 1048576 bytes"),
            reason -> assertThat(reason).startsWith("key longer than 1048576 bytes"));
  }

  private static List<String> reasons(Harness harness) {
    return harness.getSideOutput(DeadLetterOutputs.DEAD).stream()
        .map(StreamRecord::getValue)
        .map(DeadLetter::reason)
        .toList();
  }

  private List<Offsets> progress(Harness harness) {
    return messages(harness).stream()
        .filter(message -> message.kind() == CellMessage.Kind.PROGRESS)
        .map(CellMessage::offsets)
        .toList();
  }

  /** What was told since the last call. */
  private List<CellMessage> messages(Harness harness) {
    if (harness.getSideOutput(RouteOperator.PROGRESS) == null) {
      return List.of();
    }
    List<CellMessage> all =
        harness.getSideOutput(RouteOperator.PROGRESS).stream().map(StreamRecord::getValue).toList();
    List<CellMessage> fresh = all.subList(told, all.size());
    told = all.size();
    return fresh;
  }

  private static RowRecord keyed(int partition, long offset, String key) {
    return new RowRecord(
        partition, offset, 1, true, Optional.of(key.getBytes(UTF_8)), Optional.empty());
  }

  private static RowRecord value(long offset, String value) {
    return new RowRecord(0, offset, 1, true, Optional.empty(), Optional.of(value.getBytes(UTF_8)));
  }

  private Harness opened(SketchJobSettings settings) throws Exception {
    return restored(settings);
  }

  private Harness restored(SketchJobSettings settings, OperatorSubtaskState... state)
      throws Exception {
    Harness harness = new Harness(settings, fixture);
    harnesses.add(harness);
    OperatorFixture.open(harness, RoutedRecord.TYPE, state);
    return harness;
  }
}
