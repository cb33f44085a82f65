package io.gauze.config;

import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.gauze.mechanism.Mechanisms;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What is wrong with a stream's columns, epochs and sketches: each error says file, line, key, what
 * was given, and what to do.
 */
final class BadStreamConfigTest {
  @ParameterizedTest(name = "{3}")
  @MethodSource({"stream", "columns", "epochs", "sketches"})
  void isRefused(String piece, String replacement, int line, String message) {
    ConfigText.isRefused(piece, replacement, line, message);
  }

  static Stream<Arguments> stream() {
    return Stream.of(
        arguments(
            "stream: wine",
            "stream: Wine",
            1,
            "stream must be lower-case letters, digits and hyphens, at most 100. Provided value: Wine"),
        arguments(
            "stream: wine\n",
            "",
            1,
            "the config lacks the key stream, which must be lower-case letters, digits and hyphens, at most 100"),
        arguments(
            "stream: wine",
            "stream:",
            1,
            "stream must be lower-case letters, digits and hyphens, at most 100. Provided value: nothing"),
        arguments(
            "intercept: 1.0",
            "intercpt: 1.0",
            7,
            "the config has no key intercpt; the nearest is intercept, and it may have stream, encoding, columns, intercept, rowBound, response, responseBound, missing, privacy, snapshots, cumulative, epochs, groups, expectedRows, sketches, models, kafka, flink"),
        arguments(
            "rowBound: 2.0",
            "intercept: 2.5",
            8,
            "the config has the key intercept twice; remove one"),
        arguments(
            "missing: reject",
            "missing: [reject",
            10,
            "is not valid YAML: expected ',' or ']', but got :; correct the line"),
        arguments(
            "missing: reject",
            "snapshots: 24",
            9,
            "snapshots means nothing but with privacy.unit key; remove the key"),
        arguments(
            "missing: reject",
            "groups: {field: country, values: [de, fr, de]}",
            9,
            "groups.values[2] is there twice; remove one. Provided value: de"),
        arguments(
            "missing: reject",
            "groups: {field: country, values: [de, a/b]}",
            9,
            "groups.values[1]: a group must have 1 to 255 bytes, no slash, no control character and no blank at its ends. Provided value: 'a/b'"),
        arguments(
            "missing: reject",
            "groups: {field: country}",
            9,
            "groups lacks the key values, which must be a list of at most 20000 different texts"),
        arguments(
            "missing: reject",
            "groups: {values: [de]}",
            9,
            "groups lacks the key field, which must be the field"),
        arguments(
            "expectedRows: 1_000_000",
            "expectedRows: 1e6",
            12,
            "expectedRows must be a whole number in [1, 8588886016]. Provided value: 1e6"),
        arguments(
            "expectedRows: 1_000_000",
            "expectedRows: 99_999_999_999_999_999_999",
            12,
            "expectedRows must be a whole number in [1, 8588886016]. Provided value: 99_999_999_999_999_999_999"),
        arguments(
            "expectedRows: 1_000_000",
            "expectedRows: 0",
            12,
            "expectedRows must be a whole number in [1, 8588886016]. Provided value: 0"),
        arguments("stream: wine\n", "? [a]\n: b\n", 1, "the config has a key that is not a text"));
  }

  static Stream<Arguments> columns() {
    String alcohol = "{name: alcohol, lower: 8, upper: 15}";
    return Stream.of(
        arguments(
            alcohol,
            "{name: alcohol, lower: 15, upper: 8}",
            3,
            "columns[0].upper: column alcohol: lower must be < upper, both finite, at most 8e307 apart. Provided value: [15.0, 8.0]"),
        arguments(
            alcohol,
            "{name: alcohol, lower: low, upper: 15}",
            3,
            "columns[0].lower must be a finite number. Provided value: low"),
        arguments(
            alcohol,
            "{name: alcohol, lower: .nan, upper: 15}",
            3,
            "columns[0].lower must be a finite number. Provided value: .nan"),
        arguments(
            alcohol,
            "{name: alcohol, lower: 1e999, upper: 15}",
            3,
            "columns[0].lower must be a finite number. Provided value: 1e999"),
        arguments(
            alcohol,
            "{name: alcohol, lower: ., upper: 15}",
            3,
            "columns[0].lower must be a finite number. Provided value: ."),
        arguments(
            alcohol,
            "{name: alcohol, lower: 8}",
            3,
            "columns[0] lacks the key upper, which must be a finite number"),
        arguments(
            alcohol,
            "{name: alcohol, lower: 8, uper: 15}",
            3,
            "columns[0] has no key uper; the nearest is upper, and it may have name, source, range, lower, upper, typical, spread, map, equals, categories, other"),
        arguments(
            alcohol,
            "{name: alcohol, lower: 8, upper: 10,000}",
            3,
            "columns[0] has no key 000; a number has no comma: write 10000 or 10_000 for 10,000, and it may have name, source, range, lower, upper, typical, spread, map, equals, categories, other"),
        arguments(
            alcohol,
            "{name: cut, lower: 8, upper: 15}",
            3,
            "columns: names of columns must be unique. Provided value: cut twice"),
        arguments(
            alcohol,
            "{name: alcohol, source: sex, lower: 8, upper: 15}",
            3,
            "columns: columns of one field must be all numeric or all text. Provided value: field sex, column female"),
        arguments(
            alcohol,
            "alcohol",
            3,
            "columns[0] must be keys and values such as {name: alcohol, lower: 8, upper: 15}. Provided value: alcohol"),
        arguments(
            "map: {Fair: 0, Good: 1, Ideal: 2}",
            "map: {Fair: 0, Good: 1, Ideal: 3}",
            4,
            "columns[1].map: column cut: rank of Ideal must be in [0, 2]. Provided value: 3.0"),
        arguments(
            "map: {Fair: 0, Good: 1, Ideal: 2}",
            "map: {}",
            4,
            "columns[1].map must be texts with their ranks, such as {Fair: 0, Good: 1}. Provided value: keys and values"),
        arguments(
            "map: {Fair: 0, Good: 1, Ideal: 2}",
            "map: {Fair: 0, Good: 1, Ideal: 2}, equals: Good",
            4,
            "columns[1] must have one of map, equals and categories. Provided value: map, equals"),
        arguments(
            "equals: Female",
            "equals: Female, lower: 0",
            5,
            "columns[2].lower means nothing for texts; remove the key"),
        arguments(
            "[north, south, east]",
            "[north, south, north]",
            6,
            "columns[3].categories: column region: categories must be at least 2 and distinct. Provided value: [north, south, north]"),
        arguments(
            "[north, south, east]",
            "north",
            6,
            "columns[3].categories must be a list of at least 2 texts, the first of which is the baseline. Provided value: north"),
        arguments(
            alcohol,
            "{name: alcohol, lower: 8, upper: 15, typical: 16}",
            3,
            "columns[0].typical: column alcohol: typical must be in [8, 15]. Provided value: 16.0"),
        arguments(
            alcohol,
            "{name: alcohol, lower: 8, upper: 15, spread: 0}",
            3,
            "columns[0].spread must be at least a millionth of the range and at most all of it, 7.0. Provided value: 0"),
        arguments(
            "map: {Fair: 0, Good: 1, Ideal: 2}",
            "map: {Fair: 0, Good: 1, Ideal: 2}, typical: 3",
            4,
            "columns[1].typical: column cut: typical must be in [0, 2]. Provided value: 3.0"),
        arguments(
            "intercept: 1.0",
            "response: alcool",
            7,
            "response must be one of the columns; the nearest is alcohol. Provided value: alcool"),
        arguments(
            "intercept: 1.0",
            "response: [alcohol, alcohol]",
            7,
            "response[1] must be there once. Provided value: alcohol"),
        arguments(
            "intercept: 1.0",
            "intercept: 0",
            7,
            "intercept must be in [0.0078125, 2]. Provided value: 0.0"),
        arguments(
            "rowBound: 2.0",
            "rowBound: 2.26",
            8,
            "rowBound must be at most 2.2361, the largest norm that a row of these columns can have: a larger one adds noise and changes no row; leave it out, and it is planned. Provided value: 2.26"),
        arguments(
            "rowBound: 2.0",
            "rowBound: 1000",
            8,
            "rowBound must be at most 2.2361, the largest norm that a row of these columns can have: a larger one adds noise and changes no row; leave it out, and it is planned. Provided value: 1000.0"),
        arguments(
            "missing: reject",
            "missing: ignore",
            9,
            "missing must be reject or midpoint. Provided value: ignore"));
  }

  static Stream<Arguments> epochs() {
    String length = "all or an ISO duration of whole milliseconds in [PT1S, P3650D], such as PT1H";
    return Stream.of(
        arguments("PT1H", "1h", 11, "epochs.length must be " + length + ". Provided value: 1h"),
        arguments(
            "PT1H", "PT0.5S", 11, "epochs.length must be " + length + ". Provided value: PT0.5S"),
        arguments(
            "PT1H",
            "PT1.0001S",
            11,
            "epochs.length must be " + length + ". Provided value: PT1.0001S"),
        arguments(
            "PT1H", "all", 11, "epochs.from means nothing with epochs.length all; remove the key"),
        arguments("length: PT1H, ", "", 11, "epochs lacks the key length, which must be " + length),
        arguments(
            "2026-01-01T00:00:00Z",
            "2026-01-01",
            11,
            "epochs.from must be a time in UTC such as 2026-01-01T00:00:00Z. Provided value: 2026-01-01"),
        arguments(
            "backfill: 48",
            "backfill: yes",
            11,
            "epochs.backfill must be a whole number in [1, 1000000]. Provided value: yes"),
        arguments(
            "sealDelay: PT20S",
            "sealDelay: PT-1S",
            11,
            "epochs.sealDelay must be an ISO duration in [PT0S, P1D]. Provided value: PT-1S"),
        arguments(
            "sealDelay: PT20S",
            "allowedLateness: PT5M",
            11,
            "epochs.allowedLateness means nothing without epochs.time; remove the key"),
        arguments(
            "sealDelay: PT20S",
            "maxClockSkew: PT1M",
            11,
            "epochs.maxClockSkew means nothing without epochs.time; remove the key"),
        arguments(
            "sealDelay: PT20S",
            "time: ts, allowedLateness: -PT1S",
            11,
            "epochs.allowedLateness must be an ISO duration in [PT0S, P365D]. Provided value: -PT1S"),
        arguments(
            "sealDelay: PT20S",
            "time: {field: ts, unit: hours}",
            11,
            "epochs.time.unit must be one of seconds, millis, micros, nanos. Provided value: hours"),
        arguments(
            "sealDelay: PT20S",
            "time: ts, timestamps: producer",
            11,
            "epochs.timestamps must be append with epochs.time, since a row's lateness is that of the append time. Provided value: producer"),
        arguments(
            "sealDelay: PT20S",
            "timestamps: create",
            11,
            "epochs.timestamps must be append or producer. Provided value: create"));
  }

  static Stream<Arguments> sketches() {
    String name = "lower-case letters, digits and hyphens, at most 100, starting with a letter";
    return Stream.of(
        arguments(
            "name: moments",
            "name: my_moments",
            14,
            "sketches[0].name must be " + name + ". Provided value: my_moments"),
        arguments(
            "name: moments",
            "name: buckets",
            15,
            "sketches[1].name must be unique among the sketches. Provided value: buckets"),
        arguments(
            "noisy-moments",
            "huber",
            14,
            "sketches[0].mechanism must be auto or one of "
                + String.join(", ", Mechanisms.sketches())
                + "; huber makes models, which have a section of that name. Provided value: huber"),
        arguments(
            "noisy-moments",
            "noisy-moment",
            14,
            "sketches[0].mechanism must be auto or one of "
                + String.join(", ", Mechanisms.sketches())
                + "; the nearest is noisy-moments. Provided value: noisy-moment"),
        arguments(
            "noisy-moments",
            "noisy-moments, buckets: 4",
            14,
            "sketches[0] has no key buckets, and it may have name, mechanism, weight"),
        arguments(
            "noisy-moments",
            "select-fit, readings: 3",
            14,
            "sketches[0].readings must be a whole number in [1, 2]. Provided value: 3"),
        arguments(
            "buckets: 1024",
            "buckets: 1000",
            15,
            "sketches[1].buckets: buckets must be a power of two. Provided value: 1000"),
        arguments(
            "buckets: 1024",
            "buckets: 0",
            15,
            "sketches[1].buckets must be a whole number in [1, 1048576]. Provided value: 0"),
        arguments(
            "count-sketch, buckets: 1024",
            "multilevel-l1, rows: 500, levels: 40, samplingBase: 3",
            15,
            "sketches[1].samplingBase: samplingBase must be such that its power to the levels, 40, is at most 2^48."
                + " Provided value: 3"),
        arguments(
            "count-sketch, buckets: 1024",
            "jl-unregularised, rows: 3",
            15,
            "sketches[1].rows: rows must be at least 6. Provided value: 3"),
        arguments(
            "count-sketch, buckets: 1024",
            "histogram, bins: 1000",
            15,
            "sketches[1].bins: bins must be so few that there are at most 1,048,576 cells. Provided"
                + " value: 1000 for 5 columns; take fewer columns, or fewer bins (at least 2)"),
        arguments(
            "count-sketch, buckets: 1024",
            "stratified-moments, stratifyBy: (intercept)",
            15,
            "sketches[1].stratifyBy: stratifyBy must be a column that varies. Provided value: (intercept)"),
        arguments(
            "count-sketch, buckets: 1024",
            "wishart, degreesOfFreedom: 7",
            15,
            "sketches[1].degreesOfFreedom: degreesOfFreedom must be in [8, 1000000] for 6 columns with the intercept."
                + " Provided value: 7"),
        arguments(
            "buckets: 1024",
            "buckets: '1024'",
            15,
            "sketches[1].buckets must be a whole number in [1, 1048576], without quotes. Provided value: \"1024\""),
        arguments(
            "weight: 2",
            "weight: 0",
            15,
            "sketches[1].weight must be a number in (0, 1000000]. Provided value: 0"));
  }
}
