package io.gauze.config;

import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.gauze.mechanism.Mechanisms;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** As {@link BadStreamConfigTest}, for what concerns the promise and whose rows it covers. */
final class BadPrivacyConfigTest {
  @ParameterizedTest(name = "{3}")
  @MethodSource({"privacy", "units"})
  void isRefused(String piece, String replacement, int line, String message) {
    ConfigText.isRefused(piece, replacement, line, message);
  }

  static Stream<Arguments> privacy() {
    return Stream.of(
        arguments(
            "epsilon: 1.0",
            "epsilon: 0",
            10,
            "privacy.epsilon must be a number in (0, 100.0]. Provided value: 0"),
        arguments(
            "epsilon: 1.0",
            "epsilon: one",
            10,
            "privacy.epsilon must be a number in (0, 100.0]. Provided value: one"),
        arguments(
            "epsilon: 1.0",
            "epsilon: \"1.0\"",
            10,
            "privacy.epsilon must be a number in (0, 100.0], without quotes. Provided value: \"1.0\""),
        arguments(
            "epsilon: 1.0, ",
            "",
            10,
            "privacy lacks the key epsilon, which must be a number in (0, 100.0]"),
        arguments(
            "delta: 1.0e-6",
            "delta: 0.5",
            10,
            "privacy.delta must be a number in (0, 0.1]. Provided value: 0.5"),
        arguments(
            "replace-one",
            "replace",
            10,
            "privacy.neighbours must be replace-one or add-remove. Provided value: replace"),
        arguments(
            "unit: row",
            "unit: rows",
            10,
            "privacy.unit must be row, key or {user: FIELD, rowsPerEpoch: NUMBER}. Provided value: rows"),
        arguments(
            "unit: row",
            "unit: [key]",
            10,
            "privacy.unit must be row, key or {user: FIELD, rowsPerEpoch: NUMBER}. Provided value: a list"),
        arguments(
            "unit: row",
            "unit: {user: id}",
            10,
            "privacy.unit lacks the key rowsPerEpoch, which must be a whole number in [1, 1048576]"),
        arguments(
            "unit: row",
            "unit: {user: id, rowsPerEpoch: 0}",
            10,
            "privacy.unit.rowsPerEpoch must be a whole number in [1, 1048576]. Provided value: 0"),
        arguments(
            "unit: row",
            "unit: {user: id, rowsPerEpoch: 1.5}",
            10,
            "privacy.unit.rowsPerEpoch must be a whole number in [1, 1048576]. Provided value: 1.5"),
        arguments(
            "unit: row",
            "unit: {rowsPerEpoch: 4}",
            10,
            "privacy.unit lacks the key user, which must be the field of a record that says whose it is"),
        arguments(
            "unit: row",
            "unit: {user: [id], rowsPerEpoch: 4}",
            10,
            "privacy.unit.user must be the field of a record that says whose it is. Provided value: a list"),
        arguments(
            "unit: row",
            "unit: {user: id, rowsPerEpcoh: 4}",
            10,
            "privacy.unit has no key rowsPerEpcoh; the nearest is rowsPerEpoch, and it may have user, rowsPerEpoch"),
        arguments(
            "unit: row",
            "unit: {user: id, rowsPerEpoch: 4}",
            10,
            "privacy lacks the key totalBudget, such as {epsilon: 8, delta: 1e-6}: a user may have rows in"
                + " every epoch, and what their releases give away adds up to at most that"),
        arguments(
            "unit: row}",
            "unit: {user: id, rowsPerEpoch: 4}, totalBudget: {epsilon: 0.5, delta: 1e-6}}",
            10,
            "privacy.totalBudget.epsilon must be a number in [1.0, 100.0], at least privacy.epsilon of one epoch. Provided value: 0.5"),
        arguments(
            "unit: row}",
            "unit: {user: id, rowsPerEpoch: 4}, totalBudget: {epsilon: 8, delta: 1e-6}}\nsnapshots: 3",
            11,
            "snapshots means nothing but with privacy.unit key; remove the key"),
        arguments(
            "unit: row",
            "unit: key",
            1,
            "the config lacks the key snapshots, a whole number in [1, 10000]: how many snapshots of"
                + " the table the budget is to cover with privacy.unit key"),
        arguments(
            "unit: row}",
            "unit: key}\nsnapshots: 10001",
            11,
            "snapshots must be a whole number in [1, 10000]. Provided value: 10001"),
        arguments(
            "unit: row}",
            "unit: key}\nsnapshots: 0",
            11,
            "snapshots must be a whole number in [1, 10000]. Provided value: 0"),
        arguments(
            "unit: row}\nepochs: {length: PT1H, from: 2026-01-01T00:00:00Z, backfill: 48, sealDelay: PT20S}",
            "unit: key}\nepochs: {length: all}\nsnapshots: 2",
            12,
            "snapshots must be 1 with epochs.length all, which has one release. Provided value: 2"),
        arguments(
            "unit: row",
            "checkpointLeaks: 2",
            10,
            "privacy.checkpointLeaks must be a whole number in [0, 1]. Provided value: 2"),
        arguments(
            "unit: row",
            "checkpointLeaks: -1",
            10,
            "privacy.checkpointLeaks must be a whole number in [0, 1]. Provided value: -1"),
        arguments(
            "unit: row",
            "totalBudgt: {epsilon: 2, delta: 1e-6}",
            10,
            "privacy has no key totalBudgt; the nearest is totalBudget, and it may have epsilon, delta, neighbours, unit, checkpointLeaks, totalBudget, rangeShare"),
        arguments(
            "unit: row",
            "totalBudget: {epsilon: 0.9, delta: 1e-6}",
            10,
            "privacy.totalBudget.epsilon must be a number in [1.0, 100.0], at least privacy.epsilon of one epoch. Provided value: 0.9"),
        arguments(
            "unit: row",
            "totalBudget: {epsilon: 2, delta: 1e-7}",
            10,
            "privacy.totalBudget.delta must be a number in [1.0E-6, 0.1], at least privacy.delta of one epoch. Provided value: 1e-7"),
        arguments(
            "unit: row",
            "totalBudget: {epsilon: 2}",
            10,
            "privacy.totalBudget lacks the key delta, which must be a number in [1.0E-6, 0.1], at least privacy.delta of one epoch"),
        arguments(
            "unit: row",
            "totalBudget: {epsilon: 2, detla: 1e-6}",
            10,
            "privacy.totalBudget has no key detla; the nearest is delta, and it may have epsilon, delta"),
        arguments(
            "unit: row",
            "totalBudget: 2",
            10,
            "privacy.totalBudget must be keys and values. Provided value: 2"));
  }

  /** A promise for users or keys needs rows that say whose they are. */
  static Stream<Arguments> units() {
    String totalBudget = ", totalBudget: {epsilon: 8, delta: 1e-6}";
    String rows = "rows: {topic: rows, format: json, ";
    return Stream.of(
        arguments(
            "unit: row}",
            "unit: row}\ncumulative: 0",
            11,
            "cumulative must be a whole number in [1, 4096]. Provided value: 0"),
        arguments(
            "unit: row}",
            "unit: row}\ncumulative: 4097",
            11,
            "cumulative must be a whole number in [1, 4096]. Provided value: 4097"),
        arguments(
            "unit: row}",
            "unit: row}\ncumulative: 24\nsnapshots: 24",
            12,
            "snapshots means nothing but with privacy.unit key; remove the key"),
        arguments(
            "unit: row}",
            "unit: key}\ncumulative: 24",
            11,
            "cumulative means nothing but with privacy.unit row; remove the key"),
        arguments(
            "unit: row}",
            "unit: {user: id, rowsPerEpoch: 4}" + totalBudget + "}\ncumulative: 24",
            11,
            "cumulative means nothing but with privacy.unit row; remove the key"),
        arguments(
            "unit: row}\nepochs: {length: PT1H, from: 2026-01-01T00:00:00Z, backfill: 48, sealDelay: PT20S}",
            "unit: row}\nepochs: {length: all}\ncumulative: 1",
            12,
            "cumulative means nothing with epochs.length all, which has one release; remove the key"),
        arguments(
            "unit: row}\nepochs: {length: PT1H, from: 2026-01-01T00:00:00Z, ",
            "unit: row}\ncumulative: 24\nepochs: {length: PT1H, ",
            12,
            "epochs lacks the key from, a time in UTC such as 2026-01-01T00:00:00Z: the sums are of the epochs from there on"),
        arguments(
            "unit: row}",
            "unit: row}\ncumulative: 24",
            10,
            "privacy lacks the key totalBudget, such as {epsilon: 8, delta: 1e-6}: say before the first release what all streams of these rows may spend; the same epsilon and delta if none follows"),
        arguments(
            "unit: row}",
            "unit: row, checkpointLeaks: 1}\ncumulative: 24",
            10,
            "privacy.checkpointLeaks must be 0 with cumulative, since checkpoints hold the exact sums, which no second noise hides. Provided value: 1"),
        arguments(
            "{name: buckets, mechanism: count-sketch, buckets: 1024, weight: 2}\nkafka:",
            "{name: one, mechanism: ada-ssp}\ncumulative: 24\nkafka:",
            15,
            "sketches[1]: cumulative releases must be of sums to which Gaussian noise is added, those of "
                + String.join(", ", Mechanisms.additive())
                + ". Provided value: ada-ssp; give this sketch a stream of its own, without cumulative"),
        arguments(
            "unit: row}",
            "unit: key}\nsnapshots: 24",
            10,
            "privacy.unit must be row or user, since kafka.rows is append-only; with kafka.rows.upsert or format debezium-json it can be key. Provided value: key"),
        arguments(
            "unit: row",
            "unit: {user: id, rowsPerEpoch: 4}" + totalBudget,
            10,
            "privacy.unit needs kafka.rows.key, record or {field: id}: the user must be the record's key, so that one partition has all of a user's rows in their order"),
        arguments(
            rows,
            rows + "key: record, upsert: true, ",
            10,
            "privacy.unit must have the unit key, with snapshots, since kafka.rows is a changelog, in which one key changes many epochs"),
        arguments(
            "neighbours: replace-one, unit: row}\nepochs: {length: PT1H, ",
            "neighbours: add-remove, unit: row}\nepochs: {timestamps: producer, length: PT1H, ",
            11,
            "epochs.timestamps must be append unless privacy.neighbours is replace-one and privacy.unit is row: with the producers' timestamps it is public when there is a row, and only its values are protected. Provided value: producer"));
  }
}
