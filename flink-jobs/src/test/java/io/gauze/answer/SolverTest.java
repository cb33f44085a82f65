package io.gauze.answer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import com.fasterxml.jackson.databind.JsonNode;
import io.gauze.fit.BestFit;
import io.gauze.fit.FitQuestion;
import io.gauze.fit.FitReport;
import io.gauze.fit.FitSource;
import io.gauze.mechanism.ReleaseId;
import io.gauze.noise.Randomness;
import io.gauze.release.Release;
import io.gauze.report.FitTable;
import io.gauze.solver.Answer;
import io.gauze.solver.SolverFixture;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is answered, from releases in memory. */
final class SolverTest {
  private static final Release FIRST =
      SolverFixture.release(SolverFixture.STREAM, SolverFixture.epoch(1), "moments", 1);

  private final SolverFixture.MemoryFeed feed = new SolverFixture.MemoryFeed();
  private Solver solver;

  @BeforeEach
  void open() throws IOException {
    feed.publish(FIRST);
    solver = new Solver(SolverFixture.STREAM, feed);
  }

  private Optional<Answer> answer(String fields) throws IOException {
    return answer(solver, fields);
  }

  private static Optional<Answer> answer(Solver solver, String fields) throws IOException {
    SolveRequest request = request(fields);
    return solver.answer(request, 0).map(body -> Answer.of("q", body));
  }

  private static String text(AnswerBody body) {
    return Answer.of("q", body).toString();
  }

  private static SolveRequest request(String fields) {
    return new RequestReader("requests")
        .read(SolverFixture.record("q", "{\"response\":\"y\"" + fields + "}"))
        .request()
        .orElseThrow();
  }

  private static String at(int hour, String sketch) {
    return ",\"release\":\"" + SolverFixture.id(hour, sketch) + "\"";
  }

  private static String range(int first, int last) {
    String from = SolverFixture.id(first, "moments");
    return ",\"releases\":\"" + from + ".." + SolverFixture.id(last, "moments") + "\"";
  }

  private JsonNode json(String fields) throws IOException {
    return SolverFixture.json(answer(fields).orElseThrow());
  }

  private JsonNode error(String fields, String code) throws IOException {
    JsonNode json = json(fields);
    assertThat(names(json)).containsExactly("id", "error");
    assertThat(names(json.at("/error"))).containsExactly("code", "message");
    assertThat(json.at("/error/code").asText()).isEqualTo(code);
    return json.at("/error/message");
  }

  private static List<String> names(JsonNode object) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  /** Twenty standard errors, each of which is asserted to be small. */
  @Test
  void anAnswerIsWhatSolvePrintsAndTheIds() throws IOException {
    JsonNode json = json(at(1, "moments"));
    assertThat(json.at("/id").asText()).isEqualTo("q");
    assertThat(json.at("/releases/0").asText()).isEqualTo(SolverFixture.id(1, "moments"));
    double error = json.at("/standardErrors/a").asDouble();
    assertThat(error).isBetween(1e-5, 0.02);
    assertThat(json.at("/coefficients/a").asDouble()).isCloseTo(0.5, within(20 * error));
    assertThat(json.at("/guarantee/epsilon").asDouble()).isEqualTo(20.0);
    FitQuestion question = request("").question();
    String report =
        BestFit.of(List.of(FitSource.of(List.of(FIRST))), question)
            .report(true, 0.95)
            .json()
            .toString();
    String answer = answer(at(1, "moments")).orElseThrow().toString();
    String ids = "\"releases\":[\"" + SolverFixture.id(1, "moments") + "\"],";
    assertThat(answer).isEqualTo("{\"id\":\"q\"," + ids + report.substring(1));
  }

  @Test
  void theSameBytesFromTheCacheAndFromAnotherSolver() throws IOException {
    for (String fields :
        List.of(
            at(1, "moments"),
            at(1, "moments") + ",\"features\":[\"b\"],\"lambda\":3",
            at(1, "moments") + ",\"scale\":\"encoded\"",
            at(1, "moments") + ",\"loss\":\"lasso\"",
            at(1, "moments") + ",\"loss\":\"lad\"")) {
      String first = answer(fields).orElseThrow().toString();
      assertThat(answer(fields).orElseThrow()).hasToString(first);
      Solver other = new Solver("other", feed.again());
      assertThat(answer(other, fields).orElseThrow()).hasToString(first);
    }
    assertThat(solver.hits()).isEqualTo(5);
    assertThat(feed.fetches()).as("read once").isEqualTo(1);
  }

  @Test
  void everyPartOfAQuestionCounts() throws IOException {
    List<String> answers = new ArrayList<>();
    for (String more :
        List.of(
            "",
            ",\"features\":[\"a\"]",
            ",\"lambda\":10",
            ",\"lambda\":10,\"freeIntercept\":true",
            ",\"loss\":\"elastic-net\",\"lambda\":10",
            ",\"loss\":\"elastic-net\",\"alpha\":0.25,\"lambda\":10",
            ",\"scale\":\"encoded\"")) {
      answers.add(answer(at(1, "moments") + more).orElseThrow().toString());
    }
    assertThat(answers).doesNotHaveDuplicates();
    assertThat(solver.hits()).isZero();
  }

  @Test
  void errorsHaveTheirCodes() throws IOException {
    assertThat(error(at(1, "moments") + ",\"features\":[\"c\"]", "bad-column").asText())
        .contains("features must be one of a, b. Provided value: c");
    assertThat(error(at(1, "moments") + ",\"features\":[\"y\"]", "bad-column").asText())
        .contains("features must be distinct and not the response");
    String strict = ",\"loss\":\"lad\",\"strict\":true";
    assertThat(error(at(1, "moments") + strict, "refused").asText())
        .contains(SolverFixture.id(1, "moments"), "stratified-moments");
  }

  @Test
  void waitsForWhatIsNotThereAndSaysWhatIs() throws IOException {
    assertThat(answer(at(2, "moments"))).isEmpty();
    String late = text(solver.late(request(at(2, "moments"))));
    assertThat(late)
        .contains("unknown-release", "within the deadline of PT30S")
        .contains("there is one release of this sketch, " + SolverFixture.id(1, "moments"));
    assertThat(text(solver.late(request(at(1, "moment")))))
        .contains("one release of the nearest sketch, " + SolverFixture.id(1, "moments"));
    feed.publish(SolverFixture.release(SolverFixture.STREAM, SolverFixture.epoch(2), "moments", 2));
    assertThat(solver.refresh(0)).isTrue();
    assertThat(solver.refresh(0)).isFalse();
    assertThat(answer(at(2, "moments"))).isPresent();
    assertThat(text(solver.late(request(at(5, "moments")))))
        .contains("2 releases of this sketch, from ");
  }

  @Test
  void aRangeIsAddedUp() throws IOException {
    assertThat(answer(range(1, 3))).isEmpty();
    for (int hour = 3; hour > 1; hour--) {
      feed.publish(
          SolverFixture.release(SolverFixture.STREAM, SolverFixture.epoch(hour), "moments", hour));
    }
    solver.refresh(0);
    JsonNode json = json(range(1, 3));
    assertThat(json.at("/releases")).hasSize(3);
    assertThat(json.at("/rowsEstimate").asDouble()).isCloseTo(3000, within(600.0));
    assertThat(json.at("/guarantee/sentence").asText()).contains("Merged from 3 releases");
    assertThat(json(range(2, 2)).at("/releases")).hasSize(1);
  }

  /** The parser is that of the service, whose tests have the rest. */
  @Test
  void streamsAreAddedUp() throws IOException {
    String other = "other/all/" + SolverFixture.epoch(1) + "/moments";
    String both = ",\"releases\":\"" + FIRST.id() + "," + other + "\"";
    assertThat(answer(both)).isEmpty();
    feed.publish(SolverFixture.release("other", SolverFixture.epoch(1), "moments", 2));
    solver.refresh(0);
    JsonNode json = json(both);
    assertThat(json.path("releases")).hasSize(2);
    assertThat(json.at("/streams/1/stream").asText()).isEqualTo("other");
    assertThat(json.path("heterogeneity").size()).isGreaterThan(1);
    assertThat(json.at("/guarantee/streams")).hasSize(2);
  }

  @Test
  void withoutAReleaseTheLatestEpochOfTheBestSketchIsTaken() throws IOException {
    assertThat(json("").at("/releases/0").asText()).isEqualTo(SolverFixture.id(1, "moments"));
    feed.publish(SolverFixture.release(SolverFixture.STREAM, SolverFixture.epoch(2), "moments", 2));
    feed.publish(SolverFixture.release(SolverFixture.STREAM, SolverFixture.epoch(2), "strata", 2));
    feed.publish(SolverFixture.release("smaller", SolverFixture.epoch(3), "moments", 2));
    solver.refresh(0);
    assertThat(json("").at("/releases/0").asText()).startsWith(SolverFixture.id(2, ""));
    assertThat(json(",\"loss\":\"lad\"").at("/releases/0").asText())
        .isEqualTo(SolverFixture.id(2, "strata"));
    assertThat(new Solver("none", feed.again()).answer(request(""), 0)).isEmpty();
    assertThat(text(new Solver("none", feed.again()).late(request(""))))
        .contains("unknown-release", "no release of stream none came");
  }

  /**
   * A question that names no loss is put as ridge, then as lad, which moments answer by least
   * squares.
   */
  @Test
  void refusalsSayOnlyWhatMayHelp() {
    String epoch = SolverFixture.epoch(9);
    List<FitSource> empty =
        List.of(
            FitSource.of(
                List.of(SolverFixture.release(SolverFixture.STREAM, epoch, "moments", 4, 0))),
            FitSource.of(
                List.of(SolverFixture.release(SolverFixture.STREAM, epoch, "strata", 4, 0))));

    BestFit fit = BestFit.of(empty, request(",\"strict\":true").question());

    assertThat(fit.best()).isEmpty();
    assertThat(fit.reasons("\n").lines())
        .filteredOn(line -> line.startsWith(SolverFixture.id(9, "moments")))
        .singleElement(STRING)
        .contains("no signal above its noise");
    assertThat(fit.reasons("\n")).contains(SolverFixture.id(9, "strata"));
  }

  /** Unless the question is strict: zeros without standard errors, for programs and for people. */
  @Test
  void aReleaseWithoutSignalIsAnsweredByZeros() {
    String epoch = SolverFixture.epoch(9);
    List<FitSource> empty =
        List.of(
            FitSource.of(
                List.of(SolverFixture.release(SolverFixture.STREAM, epoch, "moments", 4, 0))));

    FitReport report = BestFit.of(empty, request("").question()).report(false, 0.95);

    assertThat(report.json().at("/messages/0/code").asText()).isEqualTo("GZ-EMPTY");
    assertThat(report.json().at("/coefficients/a").asDouble()).isCloseTo(0.0, within(1e-6));
    assertThat(report.json().at("/standardErrors/a").isNull()).isTrue();
    assertThat(report.json().at("/predictedExcess").isNull()).isTrue();
    String table = FitTable.of(report, report.json(), false).table();
    assertThat(table).contains("not known: useless");
    assertThat(table).containsPattern("a +[-0-9.e]+ +- +-\\R");
    assertThat(FitTable.of(FitReport.read(report.json()), report.json(), false).table())
        .isEqualTo(table);
  }

  @Test
  void contestedReleasesAreNeverAnsweredFrom() throws IOException {
    assertThat(json(at(1, "moments")).has("coefficients")).isTrue();
    feed.damage(Optional.empty(), Optional.of(ReleaseId.parse(SolverFixture.id(1, "moments"))));
    assertThat(solver.refresh(0)).isTrue();
    assertThat(error(at(1, "moments"), "contested-release").asText())
        .contains("two different bodies of release " + SolverFixture.id(1, "moments"));
    assertThat(error("", "contested-release").asText()).isNotEmpty();
  }

  @Test
  void damagedReleasesAreNamed() throws IOException {
    feed.damage(Optional.of(SolverFixture.id(2, "moments")), Optional.empty());
    solver.refresh(0);
    assertThat(answer(at(2, "moments"))).as("a good copy may come").isEmpty();
    assertThat(text(solver.late(request(at(2, "moments")))))
        .contains("damaged-release", "cannot be read");
    feed.publish(SolverFixture.release(SolverFixture.STREAM, SolverFixture.epoch(2), "moments", 2));
    solver.refresh(0);
    assertThat(json(at(2, "moments")).has("coefficients")).isTrue();
  }

  @Test
  void releasesThatTheTopicForgotAreUnknown() throws IOException {
    feed.delete(0);
    assertThat(answer(at(1, "moments"))).isEmpty();
    assertThat(text(solver.late(request(at(1, "moments")))))
        .contains("unknown-release", "there is no release yet");
  }

  @Test
  void aReleaseThatIsSentAgainIsKnownAgain() throws IOException {
    feed.delete(0);
    assertThat(answer(at(1, "moments"))).isEmpty();
    feed.publish(FIRST);
    assertThat(solver.refresh(0)).as("news").isTrue();
    assertThat(answer(at(1, "moments"))).isPresent();
  }

  @Test
  void aCopyOutlivesTheFirstRecord() throws IOException {
    feed.publish(FIRST);
    assertThat(solver.refresh(0)).as("no news").isFalse();
    feed.delete(0);
    assertThat(answer(at(1, "moments"))).isPresent();
  }

  @Test
  void aRangeThatHasLostItsMiddleIsAnsweredAtOnce() throws IOException {
    for (int hour : List.of(2, 3)) {
      feed.publish(
          SolverFixture.release(SolverFixture.STREAM, SolverFixture.epoch(hour), "moments", hour));
    }
    solver.refresh(0);
    feed.delete(1);
    assertThat(json(range(1, 3)).at("/releases")).hasSize(2);
  }

  @Test
  void preparedReleasesAndAnswersAreForgottenWhenNobodyAsks() throws IOException {
    SolveRequest request = request(at(1, "moments"));
    solver.answer(request, 0);
    solver.refresh(600_000 - 1);
    solver.answer(request, 1);
    assertThat(solver.hits()).isEqualTo(1);
    solver.refresh(600_001);
    solver.answer(request, 600_001);
    assertThat(solver.hits()).isEqualTo(1);
    assertThat(feed.fetches()).isEqualTo(2);
  }

  /** The limit of one number keeps the last prepared release alone. */
  @Test
  void answersOutliveTheirReleasesWithoutHoldingThem() throws IOException {
    feed.publish(SolverFixture.release(SolverFixture.STREAM, SolverFixture.epoch(2), "moments", 2));
    Solver small =
        new Solver(SolverFixture.STREAM, feed.again(), new Solver.Limits(1000, 1, 1 << 20));
    String first = answer(small, at(1, "moments")).orElseThrow().toString();
    answer(small, at(2, "moments"));
    assertThat(small.hits()).isZero();
    assertThat(small.prepared()).isEqualTo(1);
    assertThat(answer(small, at(1, "moments")).orElseThrow()).hasToString(first);
    assertThat(small.hits()).isEqualTo(1);
    assertThat(small.prepared()).isEqualTo(1);
    assertThat(Solver.Question.class.getRecordComponents())
        .as("what an answer is known by")
        .extracting(part -> part.getGenericType().getTypeName())
        .containsExactly(
            "java.util.List<java.util.List<" + ReleaseId.class.getName() + ">>",
            FitQuestion.class.getName());
  }

  @Test
  void aKnownAnswerIsNotGivenForAReleaseThatIsGone() throws IOException {
    feed.publish(SolverFixture.release(SolverFixture.STREAM, SolverFixture.epoch(2), "moments", 2));
    SolverFixture.MemoryFeed mine = feed.again();
    Solver small = new Solver(SolverFixture.STREAM, mine, new Solver.Limits(1000, 1, 1 << 20));
    assertThat(answer(small, at(1, "moments"))).isPresent();
    assertThat(answer(small, at(2, "moments"))).isPresent();
    mine.delete(0);
    assertThat(answer(small, at(1, "moments"))).isEmpty();
    assertThat(answer(small, at(2, "moments"))).isPresent();
  }

  @Test
  void answersTakeTheirQuestionsPlaceToo() throws IOException {
    SolveRequest one = request(at(1, "moments"));
    SolveRequest other = request(at(1, "moments") + ",\"features\":[\"a\"]");
    int bodies =
        solver.answer(one, 0).orElseThrow().length()
            + solver.answer(other, 0).orElseThrow().length();
    Solver small =
        new Solver(SolverFixture.STREAM, feed.again(), new Solver.Limits(1000, 1000, bodies));
    for (int i = 0; i < 2; i++) {
      small.answer(one, 0);
      small.answer(other, 0);
    }
    assertThat(small.hits()).as("each pushes the other out").isZero();
    FitQuestion question = request(",\"features\":[\"" + "a".repeat(1000) + "\"]").question();
    ReleaseId id = FIRST.id();
    assertThat(new Solver.Question(List.of(List.of(id, id)), question).bytes())
        .isBetween(2000, 3000);
  }

  /** Ten numbers each: the sum of all is far beyond the limit, what is held at once is not. */
  @Test
  void aRangeOfManyReleasesNeedsTheRoomOfOne() throws IOException {
    List<Release> many = new ArrayList<>();
    for (int k = 0; k < 800; k++) {
      many.add(copy(k));
    }
    many.forEach(feed::publish);
    int numbers = FIRST.payload().length();
    Solver small = new Solver(SolverFixture.STREAM, feed.again(), new Solver.Limits(numbers, 1, 1));
    String fields = ",\"releases\":\"" + many.get(0).id() + ".." + many.get(799).id() + "\"";
    String answer = answer(small, fields).orElseThrow().toString();
    FitQuestion question = request("").question();
    String report =
        BestFit.of(List.of(FitSource.of(many)), question).report(true, 0.95).json().toString();
    assertThat(answer).endsWith("]," + report.substring(1));
    assertThat(small.prepared()).isEqualTo(1);

    Solver smaller =
        new Solver(SolverFixture.STREAM, feed.again(), new Solver.Limits(numbers - 1, 1, 1));
    for (String each : List.of(fields, at(1, "moments"), "")) {
      assertThat(answer(smaller, each).orElseThrow().toString())
          .contains("\"code\":\"refused\"")
          .contains("must have at most " + (numbers - 1) + " numbers. Provided value: " + numbers);
    }
  }

  private static Release copy(int k) {
    String epoch =
        String.format(
            Locale.ROOT, "2027-%02d-%02dT%02d:00:00Z", 1 + k / 100, 1 + k % 100 / 4, k % 4);
    return Release.of(
        SolverFixture.plan(SolverFixture.STREAM),
        new ReleaseId(SolverFixture.STREAM, ReleaseId.ALL, epoch, "moments"),
        Randomness.insecureForTests(k),
        FIRST.numbers());
  }
}
