package io.gauze.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.answer.MeterReleases;
import io.gauze.http.resource.ServiceExtras;
import io.gauze.release.ReleaseFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages of the console, in a real browser, after the service went away and came back. */
final class ConsoleReturnIT {
  private static final int HOURS = 3;

  @TempDir private static Path folder;

  private static Browser browser;
  private RunningService service;

  @BeforeAll
  static void start() throws IOException {
    browser = Browser.start();
    browser.view(1280, false);
    for (int hour = 0; hour < HOURS; hour++) {
      ReleaseFile.write(MeterReleases.hour(hour, "moments"), folder.resolve(hour + ".avro"));
    }
  }

  @BeforeEach
  void serve() throws IOException {
    service = RunningService.over(folder, Optional.empty(), ServiceExtras.NONE);
  }

  @AfterEach
  void end() {
    browser.open("about:blank"); // before the service ends
    service.close();
  }

  @AfterAll
  static void stop() {
    if (browser != null) {
      browser.close();
    }
  }

  private void goAway() {
    service.close();
    browser.await("no stream", () -> browser.text("#live").equals("Reconnecting"));
  }

  private void comeBack() throws IOException {
    service = service.again();
    browser.await("a stream", () -> browser.text("#live").equals("Live"));
  }

  private static void awaitUnreachable() {
    browser.await("a note", () -> browser.text("main [role=alert]").contains("cannot be reached"));
  }

  /**
   * What failed is requests alone: nobody answered, or a service that ends or that is a new one.
   */
  private static void failedByAbsenceAlone() {
    assertThat(browser.errors())
        .isNotEmpty()
        .allMatch(each -> each.contains("/v1") && each.matches("(?s).*(net::ERR_| 503 | 400 ).*"));
  }

  private static String fixed(int from, int to) {
    return "from=" + MeterReleases.epoch(from) + "&to=" + MeterReleases.epoch(to);
  }

  /** EPOCH and RANGE stand for epochs that do not change, as a permalink has them. */
  private static String page(String written) {
    return written.replace("EPOCH", fixed(1, 1)).replace("RANGE", fixed(0, 1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"fit?EPOCH", "fit?epochs=all"})
  void anAnswerThatFailedMeanwhileComesByItself(String written) throws IOException {
    browser.open(service.page() + "#/" + page(written)).awaits("#fit-table");
    String used = browser.text("#used");
    goAway();
    browser.tick("feature", "weekend");
    awaitUnreachable();
    comeBack();
    browser.await(
        "an answer", () -> browser.has("#fit-table") && !browser.has("main [role=alert]"));
    assertThat(browser.text("#fit-table")).contains("temperature").doesNotContain("weekend");
    assertThat(browser.text("#used")).isEqualTo(used);
    failedByAbsenceAlone();
  }

  @ParameterizedTest
  @CsvSource({
    "fit?RANGE, #fit-table",
    "time, #series-table",
    "path?EPOCH, #path-table",
    "planner?rows=20000, #plan-chart canvas",
    "budget, main .empty"
  })
  void aPageThatWasOpenedMeanwhileComesByItself(String written, String shows) throws IOException {
    browser.open(service.page() + "#/releases").awaits("#releases-table");
    goAway();
    browser.run("location.hash = arguments[0]", "#/" + page(written));
    awaitUnreachable();
    comeBack();
    browser.await(shows, () -> browser.has(shows) && !browser.has("main [role=alert]"));
    failedByAbsenceAlone();
  }

  @Test
  void aPageThatFollowsShowsWhatCameMeanwhile() throws IOException {
    browser.open(service.page() + "#/fit?epochs=all").awaits("#fit-table");
    goAway();
    Path newer = folder.resolve("newer.avro");
    ReleaseFile.write(MeterReleases.hour(HOURS, "moments"), newer);
    comeBack();
    browser.await("one more", () -> browser.text("#used").contains((HOURS + 1) + " epochs"));
    failedByAbsenceAlone();
    Files.delete(newer);
  }

  @Test
  void anAnswerThatComesAfterTheTokenDoesNotAskForItAgain() throws Exception {
    try (RunningService asks =
        RunningService.over(folder, Optional.of(RunningService.TOKEN), ServiceExtras.NONE)) {
      browser.open(asks.page()).awaits("#token");
      browser.run(
          """
          const send = fetch;
          window.fetch = async (path, options) => {
            const answer = await send(path, options);
            return options.headers.Held && answer.status === 401
              ? new Promise((resolve) => { window.answerNow = () => resolve(answer); }) : answer;
          };
          const main = document.querySelector('script[type=module]').src;
          import(main.replace('main.js', 'api.js'))
            .then((api) => api.request('v1/releases', { headers: { Held: 'yes' } }))
            .then((answer) => { window.late = answer.status; })
            .catch((problem) => { window.late = problem.status; });
          """);
      browser.await("held", () -> Boolean.TRUE.equals(browser.run("return 'answerNow' in window")));
      browser.find("#token").sendKeys(RunningService.TOKEN + "\n");
      browser.await("open", () -> !browser.has("dialog"));
      browser.run("window.answerNow()");
      browser.await("answered", () -> Boolean.TRUE.equals(browser.run("return 'late' in window")));
      assertThat(browser.run("return window.late")).isEqualTo(200L);
      assertThat(browser.has("dialog")).isFalse();
      assertThat(browser.errors()).isNotEmpty().allMatch(each -> each.contains("401"));
      browser.open("about:blank"); // before the service ends
    }
  }
}
