package io.gauze;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gauze.cli.option.PrivacyRefusalException;
import io.gauze.mechanism.Mechanisms;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;

final class MainTest {
  private static final Path EXAMPLE = Path.of("..", "examples", "wine.yaml");

  record Result(int status, String out, String err) {}

  @Test
  void saysItsVersion() {
    Result result = run("--version");

    assertThat(result.status()).isZero();
    assertThat(result.out()).startsWith("gauze ").contains("Flink 2.").contains("Kafka 4.");
    assertThat(result.out()).doesNotContain("${").doesNotContain("null");
  }

  @Test
  void helpsWithEveryVerbAndGivesAnExampleOfIt() {
    CommandLine main = Main.commandLine();

    assertThat(run("--help").out())
        .contains("Example:", "  ./gauze check --offline --config examples/wine.yaml");
    List<String> lines = run("--help").out().lines().toList();
    for (String verb : main.getSubcommands().keySet()) {
      assertThat(lines).as(verb).filteredOn(line -> line.startsWith("  " + verb + " ")).hasSize(1);
      Result result = run(verb, "--help");
      assertThat(result.out()).as("a variable that picocli resolved").doesNotContain("null'");
      assertThat(result.status()).isZero();
      assertThat(result.out()).contains("Example", "  ./gauze " + verb);
    }
  }

  @Test
  void helpOffersNothingThatIsRefused() {
    assertThat(run("help fit").out()).contains("--scale");
    assertThat(run("help predict").out()).doesNotContain("--scale").doesNotContain("a term");
  }

  @Test
  void helpIsAVerb() {
    assertThat(run("help")).isEqualTo(run("--help"));
    assertThat(run("help").out())
        .contains("Describe:", "  fit ")
        .containsPattern("(?s)Use:.*  sketch .*Verify:");
    assertThat(run("help fit")).isEqualTo(run("fit --help"));
    assertThat(run("help help")).isEqualTo(run("help --help"));
    assertThat(run("help fti"))
        .isEqualTo(
            new Result(
                2,
                "",
                lines("gauze: there is no verb 'fti'; the nearest is fit", "Try: ./gauze --help")));
  }

  /** Help is 80 wide; a command that is broken there cannot be copied. */
  @Test
  void examplesFitOnTheirLines() {
    Main.commandLine()
        .getSubcommands()
        .forEach(
            (verb, command) ->
                assertThat(command.getCommandSpec().usageMessage().footer())
                    .as(verb)
                    .anyMatch(line -> line.startsWith("  ./gauze " + verb))
                    .allMatch(line -> line.length() < 80));
  }

  @Test
  void wrongUsageIsStatus2AndSaysWhatToTry() {
    assertThat(run())
        .isEqualTo(new Result(2, "", lines("gauze: a verb is missing", "Try: ./gauze --help")));
    assertThat(run("chek").err()).contains("there is no verb 'chek'; the nearest is check");
    assertThat(run("solve --response y").err())
        .contains("there is no verb 'solve'; it is called fit now");
    assertThat(run("fit --config wine.yaml --csv wine.csv --response quality"))
        .satisfies(result -> assertThat(result.status()).isEqualTo(2))
        .satisfies(result -> assertThat(result.out()).isEmpty())
        .satisfies(result -> assertThat(result.err()).contains("is NOT private, is fit-raw"));
    assertThat(run("chek").status()).isEqualTo(2);
    assertThat(run("--chek").err()).contains("Unknown option: '--chek'");
    assertThat(run("check"))
        .isEqualTo(
            new Result(
                2,
                "",
                lines(
                    "gauze: Missing required option: '--config=FILE'",
                    "Try: ./gauze check --help")));
    assertThat(run("check", "--config", "a.yaml", "--format", "xml").err())
        .contains("'--format'")
        .contains("must be table or json. Provided value: xml");
  }

  @Test
  void aBadConfigIsStatus2AndNamesTheLine(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("bad.yaml"), "stream: Bad\n");

    Result result = run("check", "--config", file.toString());

    assertThat(result.status()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .startsWith("gauze: " + file + ":1: stream must be")
        .contains("Provided value: Bad");
  }

  @Test
  void aCsvFileIsCheckedBeforeAnythingStarts(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("rows.csv"), "alcohol,pH\n9,3\n");
    String[] demo = {"demo", "--csv", file.toString(), "--config", EXAMPLE.toString()};

    Result result = run(demo);
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err())
        .startsWith("gauze: " + file + " has no column")
        .contains("its header is: alcohol,pH");

    for (String option : List.of("--rows", "--faulty", "--seed")) {
      Result made =
          run(Stream.concat(Stream.of(demo), Stream.of(option, "1")).toArray(String[]::new));
      assertThat(made.status()).isEqualTo(2);
      assertThat(made.err()).contains(option + " is for made-up rows");
    }
  }

  @Test
  void calibratesInJson() throws IOException {
    Result result =
        run(
            "calibrate --mechanism noisy-moments --epsilon 1 --delta 1e-6 --neighbours replace-one"
                + " --bound 2 --format json");

    assertThat(result.status()).isZero();
    JsonNode json = new ObjectMapper().readTree(result.out());
    assertThat(json.properties().stream().map(Map.Entry::getKey))
        .containsExactly(
            "mechanism",
            "epsilon",
            "delta",
            "neighbours",
            "bound",
            "parameters",
            "noise",
            "achievedDelta",
            "basis");
    assertThat(json.at("/noise/sigma").doubleValue())
        .isCloseTo(4 * Math.sqrt(2) * 4.2247, within(1e-3));
    assertThat(json.at("/achievedDelta").doubleValue()).isBetween(0.999e-6, 1e-6);
  }

  /** The values are exact ones, to the digits given. */
  @ParameterizedTest
  @CsvSource({
    "jl --neighbours add-remove --rows 256, wSquared, 53.389",
    "inverse-wishart --neighbours add-remove --rows 256, psi, 53.389",
    "wishart --neighbours add-remove --columns 6 --scale 1, degreesOfFreedom, 48",
    "wishart --neighbours add-remove --columns 6 --rows 64, scale, 0.73831",
    "functional --neighbours replace-one --columns 3, scale, 4",
    "stratified-moments --neighbours replace-one, sigma, 5.9746",
    "histogram --neighbours replace-one, scale, 2",
    "gaussian-classic --neighbours replace-one, sigma, 5.2988"
  })
  void calibratesEveryMechanism(String mechanism, String name, double value) throws IOException {
    Result result =
        run("calibrate --epsilon 1 --delta 1e-6 --format json --mechanism " + mechanism);
    assertThat(result.err()).isEmpty();
    JsonNode json = new ObjectMapper().readTree(result.out());
    assertThat(json.get("noise").get(name).doubleValue()).isCloseTo(value, within(1e-4 * value));
  }

  static List<String> mechanisms() {
    return Mechanisms.names();
  }

  /** A list that grows with the list of mechanisms. */
  @ParameterizedTest
  @MethodSource("mechanisms")
  void calibratesWhateverThereIs(String mechanism) throws IOException {
    Result result =
        run(
            "calibrate --epsilon 1 --delta 1e-6 --neighbours replace-one --columns 4 --rows 64"
                + " --expected-rows 50000 --format json --mechanism "
                + mechanism);
    assertThat(result.err()).isEmpty();
    JsonNode json = new ObjectMapper().readTree(result.out());
    assertThat(json.get("noise")).isNotEmpty().allMatch(noise -> noise.doubleValue() > 0.0);
    assertThat(json.get("achievedDelta").doubleValue()).isBetween(0.0, 1e-6);
    assertThat(json.at("/parameters/expectedRows").asInt(50_000)).isEqualTo(50_000);
  }

  @Test
  void aWrongCalibrationIsStatus2() {
    String gaussian = "calibrate --mechanism gaussian --neighbours add-remove ";
    assertThat(run(gaussian + "--epsilon 0 --delta 1e-6"))
        .isEqualTo(
            new Result(
                2,
                "",
                lines(
                    "gauze: epsilon must be in (0, 100]. Provided value: 0.0",
                    "Try: ./gauze calibrate --help")));
    assertThat(run(gaussian + "--epsilon 1").err()).contains("delta must be given for gaussian");
    assertThat(run("calibrate --mechanism gausian --neighbours add-remove --epsilon 1").err())
        .contains("the nearest is gaussian");
    assertThat(run("calibrate --mechanism laplace --neighbours both --epsilon 1").err())
        .contains("add-remove or replace-one");
  }

  @Test
  void aCalibrationShowsWhatWasAskedAndWhatIsKept() throws IOException {
    Result classic =
        run(
            "calibrate --mechanism gaussian-classic --epsilon 50 --delta 0.01 --neighbours"
                + " add-remove");
    assertThat(classic.status()).isZero();
    assertThat(classic.out()).containsPattern("(?m)^delta +0.01$").contains("achieved delta  0.99");
    assertThat(classic.err())
        .startsWith("warning: GZ-BROKENPROMISE: gaussian-classic does not keep this promise");
    String wishart =
        "calibrate --mechanism wishart --epsilon 1 --delta 1e-6 --neighbours add-remove";
    assertThat(run(wishart).err()).isEmpty();
    assertThat(run(wishart).out()).containsPattern("degreesOfFreedom +4098\\R");
    JsonNode json = new ObjectMapper().readTree(run(wishart + " --format json").out());
    assertThat(json.at("/parameters/columns").isInt()).isTrue();
  }

  @Test
  void aCalibrationBeyondComputingIsStatus3() {
    Result result =
        run(
            "calibrate --mechanism jl --epsilon 1e-300 --delta 1e-300 --neighbours add-remove"
                + " --rows 10");
    assertThat(result.status()).isEqualTo(3);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).startsWith("gauze: the noise that jl needs").contains("make epsilon");
  }

  @Test
  void auditsInJson() throws IOException {
    Result result = run("audit --mechanism gaussian --runs 500000 --format json");

    JsonNode json = new ObjectMapper().readTree(result.out());
    assertThat(json.path("asExpected").booleanValue()).isTrue();
    assertThat(result.status()).isZero();
    assertThat(result.err()).contains("gaussian: ", " cases, 0 not as expected");
    for (JsonNode one : json.path("cases")) {
      boolean above = one.path("lowerBound").doubleValue() > one.path("epsilon").doubleValue();
      assertThat(above).isNotEqualTo(one.path("sound").booleanValue());
      assertThat(one.path("caught").booleanValue()).isEqualTo(above);
      assertThat(one.path("runs").intValue()).isEqualTo(500_000);
    }
    assertThat(json.at("/cases/0/neighbours").asText()).isEqualTo("add-remove");
    assertThat(json.at("/cases/0/lowerBound").doubleValue()).isBetween(0.4, 0.5);
  }

  @Test
  void aBrokenVariantThatIsNotCaughtIsStatus1() {
    Result result = run("audit --mechanism gaussian --runs 1000");

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.out()).contains("stands", "NOT CAUGHT");
    assertThat(result.err())
        .contains(
            "gauze: NOT CAUGHT: gaussian, noise / 1.1,",
            "too few runs to see it; leave --runs out, or give 500000 or more");
  }

  @Test
  void aWrongAuditIsStatus2() {
    assertThat(run("audit --mechanism gausian").status()).isEqualTo(2);
    assertThat(run("audit --mechanism gausian").err()).contains("the nearest is gaussian");
    assertThat(run("audit --mechanism gaussian --runs 999").status()).isEqualTo(2);
    assertThat(run("audit --mechanism gaussian --runs 999").err())
        .contains("runs must be in [1000, 10^9]. Provided value: 999");
  }

  @Test
  void failuresHaveTheirStatuses() {
    assertThat(failing(new IOException("no broker at h:1")))
        .isEqualTo(new Result(1, "", lines("gauze: no broker at h:1")));
    assertThat(failing(new PrivacyRefusalException("the budget is spent", new IOException())))
        .isEqualTo(new Result(3, "", lines("gauze: the budget is spent")));
    assertThat(failing(new IllegalStateException("state is CLOSED")).err())
        .contains("state is CLOSED (IllegalStateException; GAUZE_DEBUG=1 shows where)");
    assertThat(failing(new IllegalStateException()).status()).isEqualTo(1);
    assertThat(failing(new IOException("the header is \u001b[31mred")).err())
        .isEqualTo(lines("gauze: the header is ?[31mred"));
  }

  @Test
  void errorsOfTheJvmAreOneLine() {
    assertThat(failing(new StackOverflowError()))
        .isEqualTo(
            new Result(
                1,
                "",
                lines(
                    "gauze: this is a bug of Gauze, please report it (StackOverflowError;"
                        + " GAUZE_DEBUG=1 shows where)")));
    assertThat(failing(new OutOfMemoryError()).err())
        .isEqualTo(
            lines(
                "gauze: the memory does not suffice; give Java more, such as"
                    + " GAUZE_JAVA_OPTS=-Xmx4g (OutOfMemoryError; GAUZE_DEBUG=1 shows where)"));
  }

  @Test
  void checkSumsTheConfigUp() {
    Result result = run("check", "--config", EXAMPLE.toString());

    assertThat(result.status()).isZero();
    assertThat(result.err()).isEmpty();
    assertThat(result.out())
        .contains(
            "wine",
            "12, encoded as 13 numbers with the intercept",
            "replace-one: releases hardly tell whether one row has its values replaced by any"
                + " others",
            "noisy-moments",
            "epsilon 1.0",
            "all streams over topic rows together (privacy.totalBudget)")
        .containsOnlyOnce("replace-one")
        .doesNotContain("grid", "totalBudget  ", "epsilon alone");
  }

  @Test
  void checkWritesJsonForPrograms() throws IOException {
    Result result = run("check", "--config", EXAMPLE.toString(), "--format", "json");

    JsonNode json = new ObjectMapper().readTree(result.out());
    assertThat(json.path("stream").asText()).isEqualTo("wine");
    assertThat(json.path("dimension").asInt()).isEqualTo(13);
    double bound = json.path("rowBound").asDouble(); // planned: far below the longest row
    double intercept = json.path("intercept").asDouble();
    assertThat(bound).isBetween(2 * intercept, 1.0);
    assertThat(json.path("largestNorm").asDouble())
        .isBetween(bound, Math.sqrt(intercept * intercept + 12) - 1.0); // columns of wide ranges
    assertThat(json.path("responses").isEmpty()).isTrue();
    assertThat(json.path("epsilon").asDouble()).isEqualTo(1.0);
    assertThat(json.at("/totalBudget/epsilon").asDouble()).isEqualTo(1.0);
    assertThat(json.at("/totalBudget/delta").asDouble()).isEqualTo(1e-6);
    JsonNode sketch = json.path("sketches").path(0);
    assertThat(sketch.path("mechanism").asText()).isEqualTo("noisy-moments");
    assertThat(sketch.path("share").asDouble()).isEqualTo(1.0);
    assertThat(sketch.path("epsilonAlone").asDouble()).isBetween(0.9999, 1.0);
    assertThat(sketch.path("entries").asInt()).isEqualTo(91 + 1); // and the lost weight
    // sqrt 2 B^2 times 4.2247 (five digits), the noise per unit of sensitivity at epsilon 1, delta
    // 1e-6
    double sensitivity = Math.sqrt(2.0 * 50.0 / 49.0) * bound * bound;
    assertThat(sketch.path("sigma").asDouble() / sensitivity).isBetween(4.22465, 4.22475);
    assertThat(json.path("guarantee").asText())
        .startsWith("Differentially private with epsilon 1.0");
    assertThat(json.path("warnings").isArray()).isTrue();
  }

  @Test
  void checkWarnsOfALargeDelta(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("large.yaml");
    Files.writeString(file, Files.readString(EXAMPLE).replace("delta: 1.0e-6", "delta: 0.1"));

    Result result = run("check", "--config", file.toString());

    assertThat(result.status()).isZero();
    assertThat(result.err())
        .containsOnlyOnce("warning: GZ-DELTA: Delta 0.1 is above one over expectedRows, ")
        .contains("Take 1e-6 or less: at most a hundredth of one over the rows of all epochs.");
    String many = "expectedRows: 50_000_000";
    Files.writeString(
        file,
        Files.readString(file)
            .replaceAll("expectedRows: .*", many)
            .replace("delta: 0.1", "delta: 1.0e-7"));
    assertThat(run("check", "--config", file.toString()).err()).contains("Take 1e-12 or less");
  }

  @Test
  void noiseThatCannotBeCalibratedIsStatus3(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("small.yaml");
    Files.writeString(file, Files.readString(EXAMPLE).replace("delta: 1.0e-6", "delta: 1.0e-300"));

    Result result = run("check", "--config", file.toString());

    assertThat(result.status()).isEqualTo(3);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .startsWith("gauze: " + file + ":18: privacy.delta must be above")
        .contains("1.0E-300");
  }

  /** The epsilon that is named is one that the sketches can have. */
  @ParameterizedTest
  @CsvSource({
    "60, noisy-moments",
    "100, noisy-moments",
    "100, jl-unregularised",
    "100, count-sketch",
    "100, multilevel-l1",
    "100, stratified-moments",
    "100, functional",
    "100, histogram",
    "100, ada-ssp"
  })
  void anEpsilonThatIsTooLargeHasALineAndARemedy(
      double epsilon, String mechanism, @TempDir Path folder) throws IOException {
    Path file = folder.resolve("large.yaml");
    String response = mechanism.equals("ada-ssp") ? ", response: b" : "";
    String text =
        """
        stream: large
        columns: [{name: a, lower: 0, upper: 10}, {name: b, lower: 0, upper: 10}]
        privacy:
          delta: 1.0e-6
          neighbours: add-remove
          epsilon: %s
        epochs: {length: all}
        expectedRows: 1000
        sketches: [{name: m, mechanism: MECHANISM}]
        """
            .replace("MECHANISM", mechanism + response);
    Files.writeString(file, String.format(Locale.ROOT, text, epsilon));

    Result result = run("check", "--offline", "--config", file.toString());

    assertThat(result.status()).isEqualTo(3);
    Matcher remedy =
        Pattern.compile(
                "gauze: \\Q"
                    + file
                    + "\\E:6: privacy.epsilon must be smaller with delta 1.0E-6 and these sketches,"
                    + " such as ([0-9.]+): .* Provided value: "
                    + epsilon)
            .matcher(result.err().strip());
    assertThat(result.err().strip()).matches(remedy.pattern());
    assertThat(remedy.matches()).isTrue();
    Files.writeString(file, String.format(Locale.ROOT, text, remedy.group(1)));
    assertThat(run("check", "--offline", "--config", file.toString()).status()).isZero();
  }

  @Test
  void noiseThatTheGridCannotCarryHasTheLineOfItsSketch(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("tiny.yaml");
    Files.writeString(file, Files.readString(EXAMPLE).replace("epsilon: 1,", "epsilon: 1.0e-6,"));

    Result result = run("check", "--offline", "--config", file.toString());

    assertThat(result.status()).isEqualTo(3);
    assertThat(result.err())
        .startsWith("gauze: " + file + ":22: sketch moments: sigma of noisy-moments must be in")
        .endsWith("give it more of epsilon" + System.lineSeparator());
  }

  /** The line of the config says another value than the option. */
  @ParameterizedTest
  @CsvSource({
    "100, 3, gauze: --epsilon must be smaller",
    "101, 2, 'gauze: --epsilon must be in (0, 100.0]'"
  })
  void aLargeEpsilonOfTheDemoIsTheOptions(String epsilon, int status, String message) {
    Result result = run("demo", "--rows", "100", "--epsilon", epsilon);

    assertThat(result.status()).isEqualTo(status);
    assertThat(result.err()).startsWith(message).contains("Provided value: " + epsilon);
  }

  private static Result failing(Throwable failure) {
    @Command(name = "fail")
    final class Failing implements Callable<Integer> {
      @Override
      public Integer call() throws Exception {
        if (failure instanceof Error error) {
          throw error;
        }
        throw (Exception) failure;
      }
    }
    return run(Main.commandLine().addSubcommand(new CommandLine(new Failing())), "fail");
  }

  static Result run(String words) {
    return run(words.split(" "));
  }

  private static Result run(String... arguments) {
    return run(Main.commandLine(), arguments);
  }

  private static Result run(CommandLine command, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int status = Main.withHandlers(command).execute(arguments);
    return new Result(status, out.toString(), err.toString());
  }

  static String lines(String... lines) {
    return String.join(System.lineSeparator(), lines) + System.lineSeparator();
  }
}
