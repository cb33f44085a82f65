package io.gauze.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gauze.answer.SmallReleases;
import io.gauze.http.resource.ServiceExtras;
import io.gauze.release.Release;
import io.gauze.release.ReleaseFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers of the console as files, of several streams, and beside those of the epoch before. */
final class ConsoleAnswersIT {
  private static final String SOUTH = "south, east";
  private static final byte[] PNG = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

  @TempDir private static Path folder;
  @TempDir private Path files;

  private static Browser browser;
  private static RunningService service;

  @BeforeAll
  static void start() throws IOException {
    browser = Browser.start();
    long seed = 10;
    for (String stream : List.of("north", SOUTH)) {
      for (int hour = 1; hour <= 3; hour++) {
        Release release = SmallReleases.release(stream, SmallReleases.epoch(hour), seed++);
        ReleaseFile.write(release, folder.resolve(seed + ".avro"));
      }
    }
    service = RunningService.over(folder, Optional.empty(), ServiceExtras.NONE);
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
    browser.downloadTo(files);
  }

  @AfterEach
  void logsNoError() {
    assertThat(browser.errors()).isEmpty();
  }

  private static void open(String page) {
    browser.open(service.page() + "#/" + page);
  }

  private static JsonNode json(String uri) throws Exception {
    return JsonMapper.builder().build().readTree(service.get(uri).body());
  }

  private static String id(String stream, int hour) {
    return String.join("/", stream, "all", SmallReleases.epoch(hour), "moments");
  }

  /** Clicks on a link or a button, and returns the file that the browser then has. */
  private byte[] saved(String css, String file) throws IOException {
    browser.click(css);
    browser.await(file, () -> Files.exists(files.resolve(file)));
    return Files.readAllBytes(files.resolve(file));
  }

  @Test
  void answersAreSavedAsTheServiceGivesThem() throws Exception {
    open("fit?loss=ridge");
    browser.awaits("#fit-table");
    String fit = "/v1/fit?release=" + id("north", 3) + "&response=y&loss=ridge&level=0.95&format=";
    for (String format : List.of("csv", "svg")) {
      byte[] file = saved("a[download='fit-of-y." + format + "']", "fit-of-y." + format);
      assertThat(new String(file, StandardCharsets.UTF_8))
          .isEqualTo(service.get(fit + format).body());
    }
    assertPicture(saved("a[download='fit-of-y.png']", "fit-of-y.png"));
    open("time");
    browser.awaits("#series-chart canvas");
    assertPicture(saved("#series-chart + .hint button", "series-chart.png"));
    byte[] series = saved("a[download='series-of-y.csv']", "series-of-y.csv");
    assertThat(new String(series, StandardCharsets.UTF_8))
        .contains(SmallReleases.epoch(1), SmallReleases.epoch(3));
  }

  private static void assertPicture(byte... file) {
    assertThat(Arrays.copyOf(file, PNG.length)).isEqualTo(PNG);
    assertThat(file).hasSizeGreaterThan(2000);
  }

  @Test
  void streamsAreAddedUp() throws Exception {
    open("fit?loss=ridge");
    browser.awaits("#fit-table");
    assertThat(browser.has("#streams")).isFalse();
    browser.tick("with", SOUTH);
    browser.awaits("#streams-table");
    assertThat(browser.text("#used")).isEqualTo("2 streams, epoch 2026-01-01 03:00 UTC");
    assertThat(browser.texts("#streams-table thead th"))
        .containsExactly("Term", "north", SOUTH, "Q", "p");
    JsonNode answer =
        json(
            "/v1/fit?response=y&loss=ridge&releases="
                + id("north", 3)
                + ",%22"
                + id(SOUTH, 3).replace(" ", "%20")
                + "%22");
    Matcher cells =
        Pattern.compile("a (\\S+) \\u00b1 (\\S+) (\\S+) \\u00b1 (\\S+) .*")
            .matcher(browser.texts("#streams-table tbody tr").get(1));
    assertThat(cells.matches()).isTrue();
    JsonNode streams = answer.path("streams");
    for (int k = 0; k < 2; k++) {
      double error = Double.parseDouble(cells.group(2 * k + 2));
      assertThat(Double.parseDouble(cells.group(2 * k + 1)))
          .isCloseTo(streams.get(k).path("coefficients").path("a").asDouble(), offset(error));
      assertThat(streams.get(k).path("standardErrors").path("a").asDouble())
          .isBetween(0.9 * error, 1.1 * error);
    }
    assertThat(browser.text("#guarantee"))
        .contains("2 streams are added up", "Stream south, east:");
    String shown = browser.text("#fit-table");
    String link =
        String.valueOf(browser.run("return document.querySelector('#permalink').dataset.text"));
    browser.tick("epochs", "all");
    browser.await("all epochs", () -> browser.text("#used").startsWith("2 streams, 3 epochs, "));
    browser.click("#tab-CLI");
    browser.await("another line", () -> browser.text("#command").contains("./gauze fit"));
    assertThat(browser.text("#command").lines().toList())
        .hasSize(3)
        .last()
        .asString()
        .contains("north-" + SmallReleases.epoch(1) + ".avro,");
    browser.open(link).awaits("#streams-table");
    assertThat(browser.text("#fit-table")).isEqualTo(shown);
  }

  @Test
  void coefficientsAreComparedWithTheEpochBefore() throws Exception {
    open("fit?loss=ridge");
    browser.click("#changes button");
    browser.awaits("#changes-table");
    assertThat(browser.text("#changes")).contains("2026-01-01 02:00");
    String question = "/v1/fit?response=y&loss=ridge&release=";
    JsonNode before = json(question + id("north", 2));
    JsonNode now = json(question + id("north", 3));
    List<?> change =
        (List<?>)
            browser.run(
                "const main = document.querySelector('script[type=module]').src;"
                    + " return import(main.replace('main.js', 'changes.js')).then((module) => {"
                    + " const row = module.changes("
                    + before
                    + ","
                    + now
                    + ", 0.95)[1]; return [row.name, row.change, row.low, row.high]; })");
    double distance =
        now.at("/coefficients/a").asDouble() - before.at("/coefficients/a").asDouble();
    double error =
        Math.hypot(
            now.at("/standardErrors/a").asDouble(), before.at("/standardErrors/a").asDouble());
    assertThat(change.get(0)).isEqualTo("a");
    assertThat(number(change.get(1))).isEqualTo(distance);
    assertThat(number(change.get(2))).isCloseTo(distance - 1.959964 * error, offset(1e-6 * error));
    assertThat(number(change.get(3))).isCloseTo(distance + 1.959964 * error, offset(1e-6 * error));
    browser.tick("epochs", "all");
    browser.await("no epoch before all", () -> !browser.has("#changes"));
  }

  private static double number(Object value) {
    return ((Number) value).doubleValue();
  }

  @Test
  void oneEffectDoesNotFlattenTheOthers() {
    open("fit");
    browser.awaits("#fit-table");
    String effects =
        "[{ name: 'a', estimate: 1, low: 0.5, high: 1.5 },"
            + " { name: 'b', estimate: -1, low: -2, high: 0 },"
            + " { name: 'c', estimate: 0.2, low: 0.1, high: 0.3 },"
            + " { name: 'far', estimate: 300, low: 200, high: 400 },"
            + " { name: 'wide', estimate: 2, low: -90, high: 94 }]";
    String main = "document.querySelector('script[type=module]').src";
    String span =
        "return import("
            + main
            + ".replace('main.js', 'effects.js')).then((module) => { const axis = module.span("
            + effects
            + ", arguments[0]); return [axis.low, axis.high, ...axis.beyond]; })";
    List<?> most = (List<?>) browser.run(span, false);
    assertThat(number(most.get(0))).isBetween(-2.5, -2.0);
    assertThat(number(most.get(1))).isBetween(2.0, 2.5);
    assertThat(most.subList(2, 4)).isEqualTo(List.of("far", "wide"));
    List<?> whole = (List<?>) browser.run(span, true);
    assertThat(number(whole.get(1))).isGreaterThan(400);
    assertThat(whole).hasSize(2);
  }

  @Test
  void anAnswerThatTakesLongSaysSo() {
    open("fit");
    browser.awaits("#fit-table");
    browser.run(
        "const asks = fetch; window.fetch = (...all) => new Promise((go) => { window.answer = () =>"
            + " go(asks(...all)); })");
    browser.choose("loss", "lasso");
    browser.await("a line", () -> browser.text(".waiting").matches("Fitting: [2-9] s"));
    browser.run("window.answer()");
    browser.await("the answer", () -> !browser.has(".waiting") && !browser.has(".results.busy"));
  }
}
