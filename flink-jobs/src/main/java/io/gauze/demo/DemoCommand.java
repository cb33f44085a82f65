package io.gauze.demo;

import io.gauze.accounting.Budget;
import io.gauze.cli.option.CsvFileOptions;
import io.gauze.cli.option.ExitStatus;
import io.gauze.cli.option.FormatOption;
import io.gauze.cli.option.GuaranteeOption;
import io.gauze.cli.option.PrivacyRefusalException;
import io.gauze.cli.option.ReportOption;
import io.gauze.config.ConfigException;
import io.gauze.config.StreamConfig;
import io.gauze.report.Report;
import io.gauze.row.Column;
import io.gauze.row.RowSchema;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The verb {@code demo}: runs the whole path in this process and prints the fits. */
@Command(
    name = "demo",
    description = {
      "The whole path on this machine: rows through a real Kafka broker, private sketches in a real"
          + " Flink cluster, releases, fits side by side. Rows of made-up smart meters, or of your"
          + " own CSV file."
    },
    footer = {
      "",
      "Examples:",
      "  ./gauze demo",
      "  ./gauze demo --report demo.html",
      "  ./gauze demo --sites 3",
      "  ./gauze demo --config examples/wine.yaml --csv winequality-white.csv \\",
      "      --epsilon 2"
    })
public final class DemoCommand implements Callable<Integer> {
  private static final String CONFIG = "demo.yaml";
  private static final int MOST_SITES = 5; // as many as a table and a plot can show

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "Made-up rows (default: ${DEFAULT-VALUE}).")
  private long rows;

  @Option(
      names = "--faulty",
      paramLabel = "SHARE",
      defaultValue = "0.005",
      description =
          "Share of readings from faulty meters, 0 to 1 (default: ${DEFAULT-VALUE}; 0 turns them"
              + " off).")
  private double faulty;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of the made-up rows, not of the noise (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--sites",
      paramLabel = "N",
      defaultValue = "1",
      description = {
        "Deal the rows out to this many sites, 1 to 5 (default: ${DEFAULT-VALUE}). Each publishes a"
            + " release of its own, and the fit of all sites adds them up."
      })
  private int sites;

  @Option(
      names = "--csv",
      paramLabel = "FILE",
      description =
          "Rows from this CSV file with a header line, gzip too, - for standard input; needs"
              + " --config.")
  private Optional<String> csv;

  @Mixin private CsvFileOptions csvOptions;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The description of the CSV file's columns, a YAML file.")
  private Optional<Path> config;

  @Option(
      names = "--response",
      paramLabel = "COLUMN",
      description =
          "The column to explain (default: the config's response, or else its last column of"
              + " numbers).")
  private Optional<String> response;

  @Option(names = "--epsilon", paramLabel = "E", description = "Instead of the config's epsilon.")
  private Optional<Double> epsilon;

  @Option(names = "--delta", paramLabel = "D", description = "Instead of the config's delta.")
  private Optional<Double> delta;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Where the releases are written (default: gauze-demo/STREAM). Those of an earlier demo"
              + " there are replaced.")
  private Optional<Path> out;

  @Mixin private ReportOption report;

  @Option(
      names = "--all",
      description =
          "Also show every mechanism that there is, each with the whole budget: alternatives, of"
              + " which one would be published.")
  private boolean all;

  @Mixin private GuaranteeOption guarantee;

  @Mixin private FormatOption format;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    check();
    StreamConfig stream =
        withBudget(
            config.isPresent()
                ? StreamConfig.read(config.get())
                : StreamConfig.parse(CONFIG, builtIn()));
    stream.requireKnownRanges("gauze demo");
    checkSites(stream);
    checkHeader(stream);
    DemoScenario.Input input =
        new DemoScenario.Input(
            csvInput(),
            rows,
            faulty,
            seed,
            sites,
            out.orElse(Path.of("gauze-demo", sites == 1 ? stream.stream() : "sites")),
            all);
    DemoResult result = planned(stream, input).run();
    Report shown =
        DemoReport.of(
            result, guarantee.whole() ? result.promise().sentence() : result.promise().summary());
    format.print(format.json() ? shown.prettyJson() : shown.table());
    report.write(
        (command, footer) -> DemoPage.of(result, command, footer), () -> DemoPage.plot(result));
    return ExitStatus.DONE;
  }

  private DemoScenario planned(StreamConfig stream, DemoScenario.Input input)
      throws ConfigException, PrivacyRefusalException {
    try {
      return new DemoScenario(stream, responseOf(stream), input, spec.commandLine().getErr());
    } catch (PrivacyRefusalException e) {
      String problem = e.getCause().getMessage();
      boolean ofOption =
          (epsilon.isPresent() && problem.startsWith("epsilon "))
              || (delta.isPresent() && problem.startsWith("delta "));
      throw ofOption ? new PrivacyRefusalException("--" + problem, e) : e;
    }
  }

  private void check() {
    require(
        csv.isPresent() == config.isPresent(),
        "--csv and --config go together: a file of rows, and what its columns mean");
    for (String option : List.of("--rows", "--faulty", "--seed")) {
      require(
          csv.isEmpty() || !spec.commandLine().getParseResult().hasMatchedOption(option),
          option + " is for made-up rows and has no meaning beside --csv");
    }
    require(
        rows >= 1 && rows <= 1_000_000_000L,
        "--rows must be in [1, 1000000000]. Provided value: " + rows);
    require(faulty >= 0 && faulty <= 1, "--faulty must be in [0, 1]. Provided value: " + faulty);
    csv.ifPresent(file -> CsvFileOptions.requireReadable(spec, file));
    report.check();
  }

  private void checkSites(StreamConfig stream) {
    require(
        sites >= 1 && sites <= MOST_SITES, "--sites must be in [1, 5]. Provided value: " + sites);
    require(
        sites == 1 || !all, "--all compares mechanisms on the rows of one site: leave out --sites");
    require(
        sites == 1 || stream.sketches().size() == 1,
        "--sites needs a config with one sketch or model. Provided value: "
            + stream.sketches().size());
  }

  /**
   * Checks the header before anything starts. Standard input can be read only once, so its header
   * is checked later.
   */
  private void checkHeader(StreamConfig stream) throws IOException {
    if (csv.isPresent() && !csv.get().equals("-")) {
      csvInput().orElseThrow().open(stream.schema()).close();
    }
  }

  private Optional<CsvInput> csvInput() {
    return csv.map(file -> new CsvInput(file, csvOptions.read(spec)));
  }

  private void require(boolean holds, String message) {
    if (!holds) {
      throw new ParameterException(spec.commandLine(), message);
    }
  }

  private StreamConfig withBudget(StreamConfig stream) {
    try {
      Budget budget = stream.budget();
      return stream.withBudget(
          new Budget(
              epsilon.orElse(budget.epsilon()), delta.orElse(budget.delta()), budget.neighbours()));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--" + e.getMessage(), e);
    }
  }

  private String responseOf(StreamConfig stream) throws ConfigException {
    String name = response.orElseGet(() -> defaultResponse(stream.schema()));
    try {
      stream.schema().encodedIndex(name);
      return name;
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--response: " + e.getMessage(), e);
    }
  }

  /**
   * Returns the first response of the config that is no category, or else the last column of
   * numbers. A config without either has its last encoded column explained.
   */
  static String defaultResponse(RowSchema schema) {
    List<String> encoded = schema.encodedNames();
    List<String> numbers =
        schema.columns().stream().filter(Column::isQuantity).map(Column::name).toList();
    List<String> candidates = numbers.isEmpty() ? encoded : numbers;
    return schema.responses().columns().stream()
        .filter(encoded::contains)
        .findFirst()
        .orElse(candidates.get(candidates.size() - 1));
  }

  private static String builtIn() throws IOException {
    try (InputStream text = DemoCommand.class.getResourceAsStream(CONFIG)) {
      return new String(text.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
