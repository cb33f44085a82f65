package io.gauze.config;

import io.gauze.accounting.Budget;
import io.gauze.mechanism.StreamRequest;
import io.gauze.report.AdvisedStream;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Everything but the sketches of a config, which may be wrong or missing, as a stream to give
 * advice on. Reads the file once.
 */
public final class ConfiguredStream implements AdvisedStream {
  private final String text;
  private final YamlMap top;
  private final OptionalLong expectedRows;
  private final Budget budget;

  private ConfiguredStream(String text, YamlMap top, OptionalLong expectedRows, Budget budget) {
    this.text = text;
    this.top = top;
    this.expectedRows = expectedRows;
    this.budget = budget;
  }

  /**
   * Reads a config.
   *
   * @throws ConfigException if the file cannot be read, or if a value that is used here is missing
   *     or not allowed
   */
  public static ConfiguredStream read(Path file) throws ConfigException {
    String text = YamlFile.text(file);
    return of(EncodingFile.resolve(StreamConfig.top(file.toString(), text)), text);
  }

  /**
   * Parses a config.
   *
   * @param place where the text is from, for messages
   * @throws ConfigException as {@link #read}
   */
  public static ConfiguredStream parse(String place, String text) throws ConfigException {
    return of(EncodingFile.refuse(StreamConfig.top(place, text)), text);
  }

  private static ConfiguredStream of(YamlMap top, String text) throws ConfigException {
    OptionalLong rows = StreamConfig.expectedRows(top);
    Budget budget = PrivacyReader.budget(top);
    ConfiguredStream stream = new ConfiguredStream(text, top, rows, budget);
    stream.parse(budget, stream.plannedRows()); // says what is wrong before anybody asks
    return stream;
  }

  private long plannedRows() {
    return expectedRows.orElse(StreamConfig.DEFAULT_EXPECTED_ROWS);
  }

  private StreamRequest parse(Budget other, long rows) throws ConfigException {
    return StreamConfig.withoutSketches(top, other, rows, true, true, RangeEstimates::placeholder);
  }

  /** Returns a hint, as {@link StreamConfig#hint} does. */
  public Optional<String> hint() {
    return TypicalValues.hint(ConfigPlaces.of("", top).lines().keySet());
  }

  @Override
  public String label() {
    return "the config";
  }

  @Override
  public String key() {
    return text;
  }

  @Override
  public OptionalLong expectedRows() {
    return expectedRows;
  }

  @Override
  public Set<String> mechanisms() {
    return SketchReader.named(top);
  }

  @Override
  public Budget budget() {
    return budget;
  }

  @Override
  public StreamRequest request(double epsilon, long rows) {
    Budget other = new Budget(epsilon, budget.delta(), budget.neighbours());
    try {
      return parse(other, rows);
    } catch (ConfigException e) { // the config was read before
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  /** Says that a job plans by the rows that the config expects. */
  @Override
  public String note(long rows) {
    if (expectedRows.isPresent() && expectedRows.getAsLong() == rows) {
      return "";
    }
    return String.format(
        Locale.ROOT,
        "This is for a config that says expectedRows: %d. Yours %s %d, by which a job plans its row"
            + " bound (%.3g) and sizes: change it to get what is predicted here.",
        rows,
        expectedRows.isPresent() ? "says" : "says nothing, which means",
        plannedRows(),
        request(budget.epsilon(), plannedRows()).schema().rowBound());
  }
}
