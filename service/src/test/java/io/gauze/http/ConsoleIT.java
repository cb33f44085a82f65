package io.gauze.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.accounting.UnitKind;
import io.gauze.answer.LedgerFeed;
import io.gauze.answer.MeterReleases;
import io.gauze.fit.BestFit;
import io.gauze.fit.FitQuestion;
import io.gauze.fit.FitReport;
import io.gauze.fit.FitSource;
import io.gauze.fit.Term;
import io.gauze.http.resource.ServiceExtras;
import io.gauze.ledger.AccountSummary;
import io.gauze.regression.Loss;
import io.gauze.regression.Penalty;
import io.gauze.release.Release;
import io.gauze.release.ReleaseFile;
import io.gauze.report.LedgerReport;
import io.gauze.report.Report;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The console in a real browser, over a real service. */
public final class ConsoleIT {
  private static final int HOURS = 5;
  private static final List<String> PAGES =
      List.of("fit", "time", "releases", "budget", "planner", "path");

  private static final FitQuestion RIDGE =
      new FitQuestion(
          "kwh",
          List.of(),
          Loss.SQUARED,
          new Penalty(OptionalDouble.empty(), 1.0, false),
          false,
          true,
          false);

  private static final String OVERFLOW =
      "return document.documentElement.scrollWidth - document.documentElement.clientWidth";

  @TempDir private static Path folder;
  @TempDir private Path other;

  private static Browser browser;
  private static RunningService service;
  private static int hours = HOURS; // that have releases now

  @BeforeAll
  static void start() throws IOException {
    browser = Browser.start();
    for (int hour = 0; hour < HOURS; hour++) {
      write(folder, hour);
    }
    service =
        RunningService.over(
            folder, Optional.empty(), new ServiceExtras(Optional.of(ledger()), Optional.empty()));
  }

  private static void write(Path to, int hour) throws IOException {
    for (String sketch : List.of("moments", "spare")) {
      ReleaseFile.write(
          MeterReleases.hour(hour, sketch), to.resolve(hour + "-" + sketch + ".avro"));
    }
  }

  private static LedgerFeed ledger() {
    AccountSummary.Line line =
        new AccountSummary.Line(MeterReleases.STREAM, "all", HOURS, 2 * HOURS, 2 * HOURS - 1, 1.5);
    AccountSummary account =
        new AccountSummary(
            "meter-rows",
            UnitKind.USER,
            true,
            1.5,
            new Budget(3, 1e-6, Neighbours.REPLACE_ONE),
            2.4,
            List.of(line));
    return new LedgerFeed() {
      @Override
      public Report read() {
        return LedgerReport.of("ledger", List.of(account));
      }

      @Override
      public void close() {}
    };
  }

  @AfterAll
  static void stop() {
    if (service != null) {
      service.close();
    }
    if (browser != null) {
      browser.close();
    }
  }

  @BeforeEach
  void view() {
    browser.view(1280, false);
  }

  @AfterEach
  void logsNoError() {
    assertThat(browser.errors()).isEmpty();
  }

  private static Browser open(String page) {
    return browser.open(service.page() + "#/" + page);
  }

  private static String table() {
    browser.awaits("#fit-table");
    return browser.text("#fit-table");
  }

  /** Waits until the table is another one, and returns it. */
  private static String tableAfter(String before) {
    browser.await(
        "a table other than " + before,
        () -> browser.has(".results:not(.busy) #fit-table") && !table().equals(before));
    return table();
  }

  @Test
  void choicesChangePlotAndTable() {
    open("fit");
    String first = table();
    assertThat(browser.texts(".effects-plot .term"))
        .containsExactly(
            "temperature", "floor_area", "occupants", "weekend", "tariff=night", "tariff=solar");
    browser.tick("feature", "weekend");
    String fewer = tableAfter(first);
    assertThat(fewer).doesNotContain("weekend");
    assertThat(browser.has(".effects-plot [data-term='weekend']")).isFalse();
    browser.choose("loss", "lasso");
    browser.slide("lambda", 1.5);
    browser.await("lambda", () -> browser.address().contains("loss=lasso&lambda=31."));
    String lasso = tableAfter(fewer);
    browser.slide("lambda", 3);
    browser.await("lambda", () -> browser.address().matches(".*lambda=(99|10)\\d.*"));
    tableAfter(lasso);
    browser.click("#auto");
    browser.await("no lambda", () -> !browser.address().contains("lambda"));
    browser.choose("response", "occupants");
    browser.await("another response", () -> browser.text("main").contains("Effects on occupants"));
    assertThat(browser.texts("#fit-table tbody th")).contains("kwh", "weekend");
  }

  @Test
  void theLinesForOtherProgramsGiveTheNumbersOfTheTable() throws Exception {
    open("fit?loss=ridge&features=temperature,weekend&level=0.9");
    table();
    browser.click("#copy-command");
    browser.await("copied", () -> browser.text("#copy-command").equals("Copied"));
    assertShown(run(browser.text("#command")));
    assertShown(ofTheLinesForPython(""));
    assertThat(lineFor("R"))
        .startsWith("read.csv(\"" + service.page() + "v1/fit?release=")
        .endsWith("&level=0.9&format=csv\")");
  }

  private static String lineFor(String program) {
    browser.click("#tab-" + program);
    browser.awaits("#command[aria-labelledby='tab-" + program + "']");
    return browser.text("#command");
  }

  /** Runs the lines for Python with what they need of pandas: it asks with the headers given. */
  private List<String> ofTheLinesForPython(String environment) throws Exception {
    Files.writeString(
        other.resolve("pandas.py"),
        """
        from urllib.request import Request, urlopen
        def read_csv(address, storage_options={}):
            return urlopen(Request(address, headers=storage_options)).read().decode()
        """);
    Files.writeString(other.resolve("line.py"), lineFor("Python"));
    List<String> lines = run(environment + " python3 line.py");
    return lines.subList(0, lines.size() - 1); // print ends with an empty line
  }

  /** Runs a line of the console in the test's folder, and returns what it prints. */
  private List<String> run(String command) throws Exception {
    Process shell =
        new ProcessBuilder("bash", "-c", command)
            .directory(other.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    List<String> lines =
        new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    assertThat(shell.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(shell.exitValue()).isZero();
    return lines;
  }

  /** The lines of a table in CSV are those of the page, up to the digits that it shows. */
  private static void assertShown(List<String> lines) {
    List<String> shown = browser.texts("#fit-table tbody tr");
    assertThat(lines).hasSize(shown.size() + 1);
    for (int k = 0; k < shown.size(); k++) {
      String[] cells = lines.get(k + 1).split(",", -1);
      String[] words = shown.get(k).split(" ", -1);
      assertThat(words[0]).isEqualTo(cells[0]);
      assertRounded(words[1], Double.parseDouble(cells[1]));
      assertRounded(words[3], Double.parseDouble(cells[5]));
      assertRounded(words[5], Double.parseDouble(cells[6]));
    }
  }

  /** A shown number is the exact one up to half a unit of its last digit. */
  private static void assertRounded(String shown, double exact) {
    String plain = shown.replace('\u2212', '-').replace(",", "");
    int decimals = plain.indexOf('.') < 0 ? 0 : plain.length() - plain.indexOf('.') - 1;
    assertThat(Math.abs(Double.parseDouble(plain) - exact))
        .as(shown + " and " + exact)
        .isLessThanOrEqualTo(0.5000001 * Math.pow(10, -decimals));
  }

  @Test
  void allEpochsGiveShorterIntervalsWithEachOne() throws Exception {
    Path releases = Files.createDirectory(other.resolve("releases"));
    write(releases, 0);
    try (RunningService live =
        RunningService.over(releases, Optional.empty(), ServiceExtras.NONE)) {
      browser.open(live.page() + "#/fit?epochs=all&sketch=moments&loss=ridge");
      table();
      double one = width("temperature");
      write(releases, 1);
      awaitEpochs(2);
      double two = width("temperature");
      write(releases, 2);
      write(releases, 3);
      awaitEpochs(4);
      assertThat(two).isLessThan(one);
      assertThat(width("temperature")).isLessThan(two);
      String range = MeterReleases.id(0, "moments") + ".." + MeterReleases.id(3, "moments");
      assertThat(browser.text("#command")).contains("releases=" + range);
      List<String> lines = run(browser.text("#command"));
      assertShown(lines);
      assertThat(ofTheLineForTheCommandLine()).isEqualTo(csvOf(lines));
      browser.tick("epochs", "one");
      browser.await(
          "the latest epoch alone", () -> browser.text("#used").endsWith(shownEpoch(3) + " UTC"));
      browser.open("about:blank"); // before the service ends
    }
  }

  private static void awaitEpochs(int count) {
    browser.await(
        count + " epochs",
        () ->
            browser.has(".results:not(.busy)")
                && browser.text("#used").contains(", " + count + " epochs, "));
  }

  private static String shownEpoch(int hour) {
    return MeterReleases.epoch(hour).substring(0, 16).replace('T', ' ');
  }

  /** How wide the interval of a term is in the table. */
  private static double width(String term) {
    String row =
        browser.texts("#fit-table tbody tr").stream()
            .filter(each -> each.startsWith(term + " "))
            .findFirst()
            .orElseThrow();
    String[] words = row.replace('\u2212', '-').split(" ", -1);
    return Double.parseDouble(words[5]) - Double.parseDouble(words[3]);
  }

  /** Downloads what the first line for the command line names, and fits it as the second says. */
  private Map<String, Double> ofTheLineForTheCommandLine() throws Exception {
    browser.click("#tab-CLI");
    browser.await("another line", () -> browser.text("#command").contains("./gauze fit"));
    List<String> lines = browser.text("#command").lines().toList();
    run(lines.get(0));
    Matcher line =
        Pattern.compile("./gauze fit --release (\\S+) --response kwh --loss ridge --level .*")
            .matcher(lines.get(1));
    assertThat(line.matches()).as(lines.get(1)).isTrue();
    List<Release> files = new ArrayList<>();
    for (String file : line.group(1).split(",", -1)) {
      files.add(ReleaseFile.read(other.resolve(file)));
    }
    FitReport fit = BestFit.of(List.of(FitSource.of(files)), RIDGE).report(true, Term.USUAL_LEVEL);
    return fit.terms().stream().collect(Collectors.toMap(Term::name, Term::estimate));
  }

  private static Map<String, Double> csvOf(List<String> lines) {
    return lines.stream()
        .skip(1)
        .map(line -> line.split(",", -1))
        .collect(Collectors.toMap(cells -> cells[0], cells -> Double.parseDouble(cells[1])));
  }

  @Test
  void aPermalinkOpensTheSameInAnotherBrowser() {
    open("fit?response=kwh&loss=huber&lambda=2&level=0.8");
    String shown = table();
    String link =
        String.valueOf(browser.run("return document.querySelector('#permalink').dataset.text"));
    assertThat(link).contains(MeterReleases.epoch(hours - 1));
    try (Browser second = Browser.start()) {
      second.open(link).awaits("#fit-table");
      assertThat(second.text("#fit-table")).isEqualTo(shown);
      assertThat(second.errors()).isEmpty();
    }
  }

  @Test
  void aNewReleaseAppearsByItself() throws IOException {
    open("time?window=2");
    browser.awaits("#series-table");
    int epochs = browser.texts("#series-table tbody tr").size();
    int hour = epochs; // hours are written from 0 on
    write(folder, hour);
    hours = hour + 1;
    browser.await(
        "one more epoch", () -> browser.texts("#series-table tbody tr").size() == epochs + 1);
    String newest = shownEpoch(hour);
    assertThat(browser.text("#series-table tbody th")).isEqualTo(newest);
    assertThat(
            browser
                .run("return document.querySelector('.shell > [role=status]').textContent")
                .toString())
        .contains("New release", newest);
  }

  @Test
  void downloadsGiveTheSameFit() throws Exception {
    browser.downloadTo(other);
    open("releases?sketch=moments&search=T02:00");
    List<String> names = new ArrayList<>();
    for (String format : List.of("avro", "json", "npz")) {
      browser.click("#releases-table a[href$='format=" + format + "']");
      String name = "meters-all-2026-01-05T020000Z-moments." + format;
      browser.await(name, () -> Files.exists(other.resolve(name)));
      names.add(name);
    }
    String query = "/v1/fit?response=kwh&loss=ridge&release=" + MeterReleases.id(2, "moments");
    JsonNode expected =
        JsonMapper.builder().build().readTree(service.get(query).body()).path("coefficients");
    for (String name : names) {
      FitSource source = FitSource.of(List.of(ReleaseFile.read(other.resolve(name))));
      FitReport fit = BestFit.of(List.of(source), RIDGE).report(true, Term.USUAL_LEVEL);
      assertThat(fit.json().path("coefficients")).as(name).isEqualTo(expected);
    }
  }

  @Test
  void budgetAndPlannerCanBeRead() {
    open("budget").awaits("#budget-table");
    assertThat(browser.text("#spent")).isEqualTo("1.50");
    assertThat(browser.text("main"))
        .contains("meter-rows", "unit user", "1\nrelease that is paid for");
    assertThat(browser.text("#exhaustion")).contains("the budget ends about 2026-01-05 ");
    open("planner?rows=20000&error=0.05").awaits("#plan-chart canvas");
    browser.await("an epsilon", () -> browser.text("#epsilon-for-error").matches("[0-9.]+"));
    assertThat(browser.text("#expected")).matches("(?s)[0-9.]+ %.*good.*");
    assertThat(browser.text("#plan-table")).contains("noisy-moments").doesNotContain("wishart");
    browser.click("input[name=all]");
    browser.await("all mechanisms", () -> browser.text("#plan-table").contains("wishart"));
    browser.tick("over", "rows");
    browser.await("rows", () -> browser.address().contains("over=rows"));
  }

  @Test
  void everyPageFitsEveryWindowInBothThemes() {
    Map<Boolean, Object> grounds = new LinkedHashMap<>();
    open("fit");
    for (int width : List.of(390, 1280)) {
      for (boolean dark : List.of(false, true)) {
        browser.view(width, dark);
        for (String page : PAGES) {
          browser.run("location.hash = '#/" + page + "'");
          browser.await(
              page,
              () ->
                  browser.has("nav a[href='#/" + page + "'][aria-current]")
                      && browser.has("main .card")
                      && !browser.has(".skeleton"));
          String as = page + " at " + width;
          assertThat(browser.run(OVERFLOW)).as(as).isEqualTo(0L);
          assertThat(browser.errors()).as(as).isEmpty();
        }
        grounds.put(dark, browser.run("return getComputedStyle(document.body).backgroundColor"));
      }
    }
    assertThat(grounds.get(true)).isNotEqualTo(grounds.get(false));
  }

  @Test
  void asksForTheTokenAndWaitsForTheFirstRelease() throws Exception {
    try (RunningService empty =
        RunningService.over(other, Optional.of(RunningService.TOKEN), ServiceExtras.NONE)) {
      browser.open(empty.page()).find("#token").sendKeys("wrong\n");
      browser.await("refused", () -> browser.text("dialog").contains("does not take this token"));
      browser.find("#token").clear();
      browser.find("#token").sendKeys(RunningService.TOKEN + "\n");
      browser.await("waits", () -> browser.text("main").contains("No release yet"));
      assertThat(browser.errors()).isNotEmpty().allMatch(each -> each.contains("401"));
      write(other, 0);
      assertThat(table()).contains("temperature");
      assertThat(browser.text("#command")).contains("$GAUZE_TOKEN");
      assertShown(ofTheLinesForPython("GAUZE_TOKEN=" + RunningService.TOKEN));
      assertThat(lineFor("R"))
          .endsWith(
              ", headers = c(Authorization = paste(\"Bearer\", Sys.getenv(\"GAUZE_TOKEN\")))))");
      browser.open(empty.page() + "#/budget");
      browser.await("off", () -> browser.text("main").contains("--ledger"));
      browser.open("about:blank"); // before the service ends
    }
  }

  @Test
  void linesOfManyColumnsDifferByColourOrDash() {
    open("path").awaits("#path-chart canvas");
    String looks = "Array.from({ length: 24 }, (_, k) => JSON.stringify(module.look(k)))";
    assertThat(ofModule("charts.js", looks)).hasSize(24).doesNotHaveDuplicates();
  }

  /** What an expression says of a module of the console. */
  private static List<?> ofModule(String name, String expression) {
    String main = "document.querySelector('script[type=module]').src";
    String module = main + ".replace('main.js', '" + name + "')";
    Object found =
        browser.run("return import(" + module + ").then((module) => " + expression + ")");
    return (List<?>) found;
  }

  @Test
  void anAxisHasThreeNumbersAtLeast() {
    open("fit");
    table();
    String texts = "module.ticks(-9.5, 7.8, 3).map((each) => each.text)";
    assertThat(ofModule("effects.js", texts)).isEqualTo(List.of("\u22125", "0", "5"));
    texts = "module.ticks(-0.4, 2.1, 5).map((each) => each.text)";
    assertThat(ofModule("effects.js", texts)).isEqualTo(List.of("0.0", "0.5", "1.0", "1.5", "2.0"));
  }

  @Test
  void errorsAreShownInTheWordsOfTheService() {
    open("fit?loss=logistic");
    browser.awaits("[role=alert]");
    assertThat(browser.text("[role=alert]")).containsIgnoringCase("refused (422)");
    assertThat(browser.errors()).allMatch(each -> each.contains("422"));
  }
}
