package io.gauze.answer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.regression.Loss;
import io.gauze.solver.RequestRecord;
import io.gauze.solver.SolverFixture;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RequestReaderTest {
  private static final RequestReader READER = new RequestReader("requests");

  private static RequestReader.Parsed read(String json) {
    return READER.read(SolverFixture.record("k", json));
  }

  private static String error(RequestReader.Parsed parsed) {
    RequestException error = parsed.error().orElseThrow();
    assertThat(error.code()).isEqualTo(ErrorCode.BAD_REQUEST);
    assertThat(parsed.request()).isEmpty();
    return error.getMessage();
  }

  @Test
  void readsEveryField() {
    RequestReader.Parsed parsed =
        read(
            """
            {"release": "s/all/all/m", "response": "y", "features": ["a", "b"], "loss": "elastic-net",
             "lambda": 2.5, "alpha": 0.25, "freeIntercept": true, "scale": "encoded", "deadline": "PT1.5S",
             "quantile": null, "strict": true}
            """);
    SolveRequest request = parsed.request().orElseThrow();
    assertThat(parsed.id()).isEqualTo("k");
    assertThat(request.releases()).hasToString("[s/all/all/m]");
    assertThat(request.question().response()).isEqualTo("y");
    assertThat(request.question().features()).containsExactly("a", "b");
    assertThat(request.question().penalty().lambda()).hasValue(2.5);
    assertThat(request.question().penalty().alpha()).isEqualTo(0.25);
    assertThat(request.question().penalty().freeIntercept()).isTrue();
    assertThat(request.question().userUnits()).isFalse();
    assertThat(request.question().strict()).isTrue();
    assertThat(request.question().orOther()).isFalse();
    assertThat(request.deadline()).isEqualTo(Duration.ofMillis(1500));
  }

  @Test
  void mostFieldsMayBeLeftOut() {
    SolveRequest request = read("{\"response\":\"y\"}").request().orElseThrow();
    assertThat(request.releases()).isEmpty();
    assertThat(request.question().features()).isEmpty();
    assertThat(request.question().loss()).isEqualTo(Loss.SQUARED);
    assertThat(request.question().orOther()).isTrue();
    assertThat(request.question().userUnits()).isTrue();
    assertThat(request.question().strict()).isFalse();
    assertThat(request.deadline()).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void readsEveryLoss() {
    assertThat(loss("\"lad\"")).isEqualTo(Loss.ABSOLUTE);
    assertThat(loss("\"quantile\",\"quantile\":0.9")).isEqualTo(new Loss.Quantile(0.9));
    assertThat(loss("\"huber\",\"huberThreshold\":1e-1")).isEqualTo(new Loss.Huber(0.1));
    assertThat(loss("\"lasso\"")).isEqualTo(Loss.SQUARED);
    SolveRequest ols = read("{\"response\":\"y\",\"loss\":\"ols\"}").request().orElseThrow();
    assertThat(ols.question().loss()).isEqualTo(Loss.SQUARED);
    assertThat(ols.question().penalty().lambda()).hasValue(0.0);
    assertThat(ols.question().penalty().alpha()).isEqualTo(1.0);
  }

  private static Loss loss(String json) {
    return read("{\"response\":\"y\",\"loss\":" + json + "}")
        .request()
        .orElseThrow()
        .question()
        .loss();
  }

  @Test
  void readsARange() {
    String range = SolverFixture.id(1, "m") + ".." + SolverFixture.id(4, "m");
    ReleaseRange read =
        read("{\"response\":\"y\",\"releases\":\"" + range + "\"}")
            .request()
            .orElseThrow()
            .releases()
            .get(0);
    assertThat(read).hasToString(range);
    assertThat(read.contains(io.gauze.mechanism.ReleaseId.parse(SolverFixture.id(3, "m"))))
        .isTrue();
    assertThat(read.contains(io.gauze.mechanism.ReleaseId.parse(SolverFixture.id(3, "n"))))
        .isFalse();
    assertThat(read.contains(io.gauze.mechanism.ReleaseId.parse(SolverFixture.id(5, "m"))))
        .isFalse();
  }

  @Test
  void readsSeveralReleasesAndRanges() {
    String json =
        """
        {"response": "y", "releases": "n/all/1/m..n/all/3/m, s/all/1/m,\\"w/a,b/1/m\\""}
        """;
    assertThat(read(json).request().orElseThrow().releases().toString())
        .isEqualTo("[n/all/1/m..n/all/3/m, s/all/1/m, w/a,b/1/m]");
  }

  /** What is wrong, what is allowed, what was given. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
      '{'                                                     | not one JSON object (RFC 8259, UTF-8), at byte 1
      '{"response":"y"} {}'                                   | not one JSON object
      '{"response":NaN}'                                      | NaN and infinities are not JSON
      '{response:"y"}'                                        | names and texts need double quotes
      '[]'                                                    | not a JSON object; send one object a record
      '"y"'                                                   | not a JSON object
      'null'                                                  | not a JSON object
      ' '                                                     | not a JSON object
      '{}'                                                    | the field response is missing: the column to explain
      '{"response":null}'                                     | the field response is missing
      '{"response":7}'                                        | response must be a text. Provided value: number 7
      '{"response":"y","response":"z"}'                       | a field is there twice; send each field once
      '{"response":"y","lamda":1}'                            | the nearest is lambda. Provided value: lamda
      '{"response":"y","feature":["a"]}'                      | the nearest is features. Provided value: feature
      '{"response":"y","features":"a"}'                       | features must be an array of at least one name
      '{"response":"y","features":[]}'                        | leave it out to take all columns. Provided value: array []
      '{"response":"y","features":["a",1]}'                   | features must be an array of names of columns
      '{"response":"y","features":["a","a"]}'                 | features must be distinct. Provided value: a again
      '{"response":"y","features":["a",""]}'                  | features must hold no empty name; leave it out to take all columns. Provided value: a,
      '{"response":"y","features":{"a":1}}'                   | features must be an array
      '{"response":"y","loss":"rigde"}'                       | the nearest is ridge. Provided value: rigde
      '{"response":"y","lambda":"1"}'                         | lambda must be a number. Provided value: string "1"
      '{"response":"y","lambda":-1}'                          | lambda must be >= 0 and finite. Provided value: -1
      '{"response":"y","lambda":1e999}'                       | lambda must be >= 0 and finite. Provided value: Infinity
      '{"response":"y","loss":"ols","lambda":2}'              | lambda must be 0 for loss ols, which has no penalty; ridge takes any. Provided value: 2.0
      '{"response":"y","lambda":1e308}'                       | lambda must be in [0, 1.0E100]. Provided value: 1.0E308
      '{"response":"y","loss":"huber","huberThreshold":1e10}' | huberThreshold must be in [1.0E-9, 1000000000]. Provided value: 1.0E10
      '{"response":"y","loss":"huber","huberThreshold":1e-99}'| huberThreshold must be in [1.0E-9, 1000000000]. Provided value: 1.0E-99
      '{"response":"y","alpha":0.5}'                          | alpha must be 1.0 for loss auto; elastic-net and huber take any
      '{"response":"y","loss":"elastic-net","alpha":2}'       | alpha must be in [0, 1]. Provided value: 2.0
      '{"response":"y","loss":"quantile"}'                    | loss quantile needs quantile
      '{"response":"y","quantile":0.5}'                       | quantile is for loss quantile. Provided value: loss auto
      '{"response":"y","loss":"quantile","quantile":1}'       | quantile: tau must be in (0, 1). Provided value: 1.0
      '{"response":"y","loss":"huber"}'                       | loss huber needs huberThreshold
      '{"response":"y","loss":"huber","huberThreshold":0}'    | huberThreshold: threshold must be > 0 and finite
      '{"response":"y","freeIntercept":"yes"}'                | freeIntercept must be true or false. Provided value: string "yes"
      '{"response":"y","strict":1}'                           | strict must be true or false. Provided value: number 1
      '{"response":"y","scale":"raw"}'                        | scale must be user or encoded. Provided value: raw
      '{"response":"y","deadline":"5 s"}'                     | deadline must be an ISO 8601 duration in [PT0S, PT10M], such as PT5S. Provided value: 5 s
      '{"response":"y","deadline":"PT11M"}'                   | deadline must be in [PT0S, PT10M]. Provided value: PT11M
      '{"response":"y","deadline":"-PT1S"}'                   | deadline must be in [PT0S, PT10M]. Provided value: PT-1S
      '{"response":"y","release":"a/b/c"}'                    | release id must be stream/group/epoch/sketch. Provided value: a/b/c
      '{"response":"y","release":"a/b/1/d..a/b/2/d"}'         | release must be one id; a range, or several ids, belong into releases
      '{"response":"y","releases":"a/b/c/d"}'                 | one id belongs into release. Provided value: a/b/c/d
      '{"response":"y","release":"a/b/c/d,e/f/g/h"}'          | release must be one id; a range, or several ids, belong into releases
      '{"response":"y","releases":"a/b/c/d,"}'                | releases: release id must be stream/group/epoch/sketch
      '{"response":"y","releases":"a/b/c/d,\\"e/f/g/h"}'      | releases must be names with commas between them
      '{"response":"y","releases":["a/b/c/d"]}'               | releases must be a text. Provided value: array
      '{"response":"y","releases":"a/b/2/d..a/b/1/d"}'        | the earlier epoch first. Provided value: a/b/2/d..a/b/1/d
      '{"response":"y","releases":"a/b/1/d..a/b/2/e"}'        | one stream, group and sketch
      '{"response":"y","releases":"a/de/1/d..a/fr/2/d"}'      | releases must stay inside one group, and the first is of de, the last of fr
      '{"response":"y","releases":"a/d..e/1/d"}'              | one id belongs into release. Provided value: a/d..e/1/d
      '{"response":"y","release":"a/d..e/1/d..a/d..e/2/d"}'   | release must be one id; a range, or several ids, belong into releases
      '{"response":"y","release":"a/b/c/d","releases":"a/b/1/d..a/b/2/d"}' | exclude each other; send one of them
      '[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]'       | not one JSON object
      """)
  void complaintsSayWhatToChange(String json, String expected) {
    RequestReader.Parsed parsed = read(json);
    assertThat(parsed.id()).isEqualTo("k");
    assertThat(error(parsed)).contains(expected);
  }

  @Test
  void theIdIsTheKeyOrTheFieldOrThePlace() {
    assertThat(unkeyed("{\"id\":\"mine\",\"response\":\"y\"}").id()).isEqualTo("mine");
    assertThat(read("{\"id\":\"other\",\"response\":\"y\"}").id()).isEqualTo("k");
    RequestReader.Parsed none = unkeyed("{\"response\":\"y\"}");
    assertThat(none.id()).isEqualTo("requests-3-17");
    assertThat(error(none)).contains("the record needs a key, or the request a field id");
    assertThat(error(unkeyed("{\"id\":7,\"response\":\"y\"}"))).contains("a field id: a text");
    RequestReader.Parsed half = unkeyed("{\"id\":\"\\ud800\",\"response\":\"y\"}");
    assertThat(half.id()).isEqualTo("requests-3-17");
    assertThat(error(half)).contains("half characters");
    assertThat(unkeyed("{").id()).isEqualTo("requests-3-17");
  }

  private static RequestReader.Parsed unkeyed(String json) {
    return READER.read(
        RequestRecord.of(3, 17, Optional.empty(), Optional.of(json.getBytes(UTF_8))));
  }

  private static RequestReader.Parsed keyed(byte[] key) {
    return READER.read(
        RequestRecord.of(
            3, 17, Optional.of(key), Optional.of("{\"response\":\"y\"}".getBytes(UTF_8))));
  }

  @Test
  void keysAreTextOfAtMost200Characters() {
    assertThat(keyed("é".repeat(200).getBytes(UTF_8)).id()).isEqualTo("é".repeat(200));
    for (byte[] key :
        new byte[][] {"x".repeat(201).getBytes(UTF_8), {}, new byte[1 << 17], {(byte) 0xff, 0}}) {
      RequestReader.Parsed parsed = keyed(key);
      assertThat(parsed.id()).isEqualTo("requests-3-17");
      assertThat(error(parsed)).contains("the request's id, must");
    }
    assertThat(error(keyed("x".repeat(201).getBytes(UTF_8))))
        .contains("1 to 200 characters. Provided value: 201 characters");
  }

  @Test
  void hugeInputIsNeitherReadNorEchoed() {
    String huge = "x".repeat(100_000);
    assertThat(error(read("{\"response\":\"" + huge + "\"}")))
        .isEqualTo("a request must have at most 65536 bytes. Provided value: 100015");
    String large = "x".repeat(60_000);
    assertThat(error(read("{\"response\":\"" + large + "\"}")))
        .isEqualTo("response must have at most 3000 characters. Provided value: 60000");
    assertThat(error(read("{\"" + large + "\":1}"))).hasSizeLessThan(500);
    assertThat(error(read("{\"response\":\"y\",\"scale\":\"" + large + "\"}")))
        .hasSizeLessThan(500);
    assertThat(error(read("{\"response\":\"y\",\"features\":\"" + large + "\"}")))
        .hasSizeLessThan(500);
    assertThat(
            error(
                READER.read(
                    RequestRecord.of(0, 0, Optional.of(new byte[] {65}), Optional.empty()))))
        .contains("an empty record");
  }

  /** Else an answer could not be written, and the job would stop. */
  @Test
  void halfCharactersInComplaintsAreReplaced() {
    String message = error(read("{\"response\":\"y\",\"loss\":\"\\ud800\"}"));
    assertThat(message).contains("Provided value: ?");
    assertThat(
            new String(
                AnswerBody.of(new RequestException(ErrorCode.BAD_REQUEST, message)).to("k"), UTF_8))
        .startsWith(
            "{\"id\":\"k\",\"error\":{\"code\":\"bad-request\",\"message\":\"loss must be one of");
  }
}
