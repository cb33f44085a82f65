package io.gauze.http;

import static org.assertj.core.api.Assertions.fail;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.openqa.selenium.By;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.WebDriverWait;

/** Chromium without a window. Waiting means up to a minute: the machine may be busy. */
final class Browser implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final List<String> OPTIONS =
      List.of(
          "--headless=new",
          "--no-sandbox",
          "--disable-gpu",
          "--disable-quic",
          "--no-first-run",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync");

  private final ChromeDriver driver;

  private Browser(ChromeDriver driver) {
    this.driver = driver;
  }

  /** Starts a browser; without one the test is skipped, or fails if gauze.browser is required. */
  static Browser start() {
    Optional<Path> chromium = onPath("chromium");
    Optional<Path> chromedriver = onPath("chromedriver");
    if (chromium.isEmpty() || chromedriver.isEmpty()) {
      String reason = "there is no chromium or no chromedriver on the PATH";
      if (System.getProperty("gauze.browser", "").equals("required")) {
        fail(reason);
      }
      Assumptions.abort(reason);
    }
    ChromeOptions options = new ChromeOptions();
    options.setBinary(chromium.orElseThrow().toFile());
    options.addArguments(OPTIONS);
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    options.setCapability("goog:loggingPrefs", logs);
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(chromedriver.orElseThrow().toFile())
            .build();
    return new Browser(new ChromeDriver(service, options));
  }

  private static Optional<Path> onPath(String name) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Opens an address as if for the first time. */
  Browser open(String address) {
    driver.get("about:blank");
    driver.get(address);
    return this;
  }

  String address() {
    return driver.getCurrentUrl();
  }

  /** Sets the size of the window, and the theme of the system. */
  void view(int width, boolean dark) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", 844, "deviceScaleFactor", 1, "mobile", false));
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of(
            "features",
            List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
  }

  /** Saves downloads in a folder. */
  void downloadTo(Path folder) {
    driver.executeCdpCommand(
        "Browser.setDownloadBehavior",
        Map.of("behavior", "allow", "downloadPath", folder.toString()));
  }

  /** Waits until something holds. An element that was drawn again meanwhile is looked at again. */
  void await(String what, Condition condition) {
    new WebDriverWait(driver, PATIENCE, Duration.ofMillis(50))
        .ignoring(StaleElementReferenceException.class)
        .withMessage(() -> what + "; the page says: " + text("body"))
        .until(unused -> condition.holds());
  }

  /** What may come to hold. */
  interface Condition {
    /** Returns whether it does now. */
    boolean holds();
  }

  Browser awaits(String css) {
    await(css, () -> has(css));
    return this;
  }

  boolean has(String css) {
    return !driver.findElements(By.cssSelector(css)).isEmpty();
  }

  /** The text of the first such element; empty if there is none. */
  String text(String css) {
    return driver.findElements(By.cssSelector(css)).stream()
        .findFirst()
        .map(WebElement::getText)
        .orElse("");
  }

  /** The texts of all such elements. */
  List<String> texts(String css) {
    return driver.findElements(By.cssSelector(css)).stream().map(WebElement::getText).toList();
  }

  WebElement find(String css) {
    awaits(css);
    return driver.findElement(By.cssSelector(css));
  }

  void click(String css) {
    find(css).click();
  }

  /** Chooses an option of a select by its value. */
  void choose(String name, String value) {
    click("select[name='" + name + "'] option[value='" + value + "']");
  }

  /** Ticks or clears the box of a value, which is hidden behind its label. */
  void tick(String name, String value) {
    run("arguments[0].click()", find("input[name='" + name + "'][value='" + value + "']"));
  }

  /** Moves a slider, as the keyboard would. */
  void slide(String name, double value) {
    run(
        "arguments[0].value = arguments[1];"
            + " arguments[0].dispatchEvent(new Event('input', {bubbles: true}))",
        find("input[name='" + name + "']"),
        value);
  }

  Object run(String script, Object... arguments) {
    return driver.executeScript(script, arguments);
  }

  /** What was logged as an error since the last look: failed requests, exceptions, violations. */
  List<String> errors() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .filter(entry -> entry.getLevel().intValue() >= Level.SEVERE.intValue())
        .map(LogEntry::getMessage)
        .toList();
  }

  @Override
  public void close() {
    driver.quit();
  }
}
