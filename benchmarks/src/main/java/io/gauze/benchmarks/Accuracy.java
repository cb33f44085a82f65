package io.gauze.benchmarks;

import io.gauze.config.ConfigException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How much worse fits of releases are than fits of the rows, on reference data, under configs that
 * say what is public and nothing else: no row bound, no intercept.
 */
public final class Accuracy {
  /** What the config says beside ranges. */
  private enum Said {
    RANGES("ranges"),
    TYPICAL("and typical values"),
    RESPONSE("and the response");

    private final String label;

    Said(String label) {
      this.label = label;
    }

    AccuracyData of(AccuracyData data) {
      return switch (this) {
        case RANGES -> data.rangesOnly();
        case TYPICAL -> data.with(data.config().replaceAll("(?m)^response: .*$", ""));
        case RESPONSE -> data;
      };
    }
  }

  private static final String EXCESS = "excess";
  private static final String LOSSES = "all-losses";

  /** The words that choose among tables. */
  static final List<String> TABLES =
      List.of(
          EXCESS,
          LOSSES,
          ModelTables.MODELS,
          ModelTables.SQUARES,
          SelectFitTable.TABLE,
          Tracks.TABLE,
          EstimatedRangesTable.TABLE,
          CoverageTable.TABLE,
          SkewedTable.TABLE,
          PoolTable.TABLE,
          NothingToLearn.TABLE,
          NothingToLearn.MECHANISMS);

  static final List<String> EPSILONS = List.of("0.1", "1.0", "5.0");
  private static final double PERCENT = 100.0;

  private final Path folder;
  private final List<AccuracyData> reference;
  private final int releases;
  private final Set<String> words;
  private final PrintStream out;

  private Accuracy(Path folder, int releases, Set<String> words, PrintStream out)
      throws IOException {
    this.folder = folder;
    this.reference = AccuracyData.reference(folder);
    this.releases = releases;
    this.words = words;
    this.out = out;
  }

  /**
   * Arguments: the folder of the reference data, how many releases of each (20), and words that
   * choose among tables, data sets, budgets and losses; all of a kind of which there is no word.
   * {@link ModelTables#ALL} stands for all tables of models.
   */
  public static void main(String[] args) throws IOException, ConfigException {
    int releases = args.length > 1 ? Integer.parseInt(args[1]) : 20;
    Set<String> words =
        Arrays.stream(args).skip(2).flatMap(Accuracy::tables).collect(Collectors.toSet());
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    new Accuracy(Path.of(args[0]), releases, words, out).run();
  }

  /** What a word stands for. */
  private static Stream<String> tables(String word) {
    return word.equals(ModelTables.ALL) ? ModelTables.TABLES.stream() : Stream.of(word);
  }

  private void run() throws IOException, ConfigException {
    checkWords();
    List<String> tables = chosen(TABLES);
    if (tables.contains(EXCESS)) {
      printExcess();
    }
    if (tables.contains(LOSSES)) {
      printLosses();
    }
    printModels(tables);
    if (tables.contains(CoverageTable.TABLE)) {
      List<AccuracyData> sets =
          named(CoverageTable.data(reference)).stream().map(Said.TYPICAL::of).toList();
      new CoverageTable(releases, out).print(sets, chosen(CoverageTable.EPSILONS));
    }
    if (tables.contains(SkewedTable.TABLE)) {
      new SkewedTable(releases, out).print(chosen(EPSILONS));
    }
    if (tables.contains(PoolTable.TABLE)) {
      PoolTable pool = new PoolTable(folder, reference, releases, out);
      pool.print(
          chosen(pool.sets()),
          chosen(PoolTable.SAID),
          chosen(EPSILONS),
          chosen(PoolTable.MECHANISMS, PoolTable.BASELINES),
          asked());
    }
    NothingToLearn nothing = new NothingToLearn(releases, out);
    if (tables.contains(NothingToLearn.TABLE)) {
      nothing.print(reference);
    }
    if (tables.contains(NothingToLearn.MECHANISMS)) {
      nothing.printMechanisms();
    }
  }

  private void printModels(List<String> tables) throws IOException, ConfigException {
    List<AccuracyData> typical = data().stream().map(Said.TYPICAL::of).toList();
    if (tables.contains(ModelTables.MODELS)) {
      new ModelTables(releases, out).printModels(typical, chosen(EPSILONS));
    }
    if (tables.contains(ModelTables.SQUARES)) {
      new ModelTables(releases, out).printSquares(typical, chosen(EPSILONS));
    }
    if (tables.contains(SelectFitTable.TABLE)) {
      new SelectFitTable(releases, out).print(chosen(EPSILONS));
    }
    if (tables.contains(Tracks.TABLE)) {
      new Tracks(releases, out).print(chosen(List.of("0.1", "1.0")));
    }
    if (tables.contains(EstimatedRangesTable.TABLE)) {
      new EstimatedRangesTable(releases, out).print(data(), chosen(EPSILONS));
    }
  }

  private void checkWords() {
    Set<String> known =
        Stream.of(
                TABLES,
                names(),
                EPSILONS,
                questions(),
                new PoolTable(folder, reference, releases, out).sets(),
                PoolTable.SAID,
                PoolTable.MECHANISMS,
                PoolTable.BASELINES)
            .flatMap(List::stream)
            .collect(Collectors.toSet());
    words.stream()
        .filter(word -> !known.contains(word))
        .findFirst()
        .ifPresent(
            word -> {
              throw new IllegalArgumentException(
                  "arguments must be of " + known + ". Provided value: " + word);
            });
  }

  private List<String> names() {
    return Stream.concat(reference.stream().map(AccuracyData::name), Stream.of(AccuracyData.METERS))
        .toList();
  }

  /** The questions that the words name, or ridge if they name none. */
  private List<AccuracyQuestion> asked() {
    List<AccuracyQuestion> named =
        AccuracyQuestion.ALL.stream().filter(each -> words.contains(each.name())).toList();
    return named.isEmpty() ? List.of(AccuracyQuestion.RIDGE) : named;
  }

  private static List<String> questions() {
    return AccuracyQuestion.ALL.stream().map(AccuracyQuestion::name).toList();
  }

  /** Returns those that the words name, or all if they name none. */
  private List<String> chosen(Collection<String> names) {
    return chosen(names, List.of());
  }

  /** Returns those that the words name, or all but the others if they name none. */
  private List<String> chosen(Collection<String> names, Collection<String> others) {
    List<String> named =
        Stream.concat(names.stream(), others.stream()).filter(words::contains).toList();
    return named.isEmpty() ? List.copyOf(names) : named;
  }

  private List<AccuracyData> data() {
    return named(reference);
  }

  private List<AccuracyData> named(List<AccuracyData> sets) {
    List<String> names = chosen(sets.stream().map(AccuracyData::name).toList());
    return sets.stream().filter(data -> names.contains(data.name())).toList();
  }

  private void printExcess() throws IOException, ConfigException {
    out.println(
        "| data, rows | epsilon | the config says | row bound | ridge: excess, % | predicted, % |"
            + " covered, % | given, % | LAD: excess, % | predicted, % | covered, % | given, % |");
    out.println("|---|---|---|---|---|---|---|---|---|---|---|---|");
    for (AccuracyData data : data()) {
      for (String epsilon : chosen(EPSILONS)) {
        for (Said said : Said.values()) {
          excess(said.of(data), epsilon, said);
        }
      }
    }
  }

  private void excess(AccuracyData data, String epsilon, Said said)
      throws IOException, ConfigException {
    AccuracySample sample = AccuracyQuestion.RIDGE.sample(data, epsilon);
    out.printf(
        Locale.ROOT,
        "| %s, %,d | %s | %s | %.2f | %s | %s |%n",
        data.name(),
        sample.rows().rows(),
        epsilon,
        said.label,
        sample.rowBound(),
        new MeasuredFits(sample, AccuracyQuestion.RIDGE, releases).cellsWithIntervals(),
        AccuracyQuestion.LAD.measured(data, epsilon, releases).cellsWithIntervals());
  }

  private void printLosses() throws IOException, ConfigException {
    out.println(
        "\n| data | epsilon | loss | excess, % | predicted, % | excess / predicted | best constant, % |"
            + " over the constant, % | refused, % | coverage, % | intervals given, % | width / error |"
            + " warnings |");
    out.println("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    List<String> questions = chosen(questions());
    for (AccuracyData data : data()) {
      for (String epsilon : chosen(EPSILONS)) {
        for (AccuracyQuestion question : AccuracyQuestion.ALL) {
          if (questions.contains(question.name())) {
            losses(Said.TYPICAL.of(data), epsilon, question);
          }
        }
      }
    }
  }

  private void losses(AccuracyData data, String epsilon, AccuracyQuestion question)
      throws IOException, ConfigException {
    MeasuredFits fits = question.measured(data, epsilon, releases);
    out.printf(
        Locale.ROOT,
        "| %s | %s | %s | %.3g | %.3g | %.2f | %.1f | %.1f | %.0f | %.1f | %.0f | %.2f | %.1f |%n",
        data.name(),
        epsilon,
        question.name(),
        PERCENT * fits.excess(),
        PERCENT * fits.expected(),
        fits.excess() / fits.expected(),
        PERCENT * fits.excessOfConstant(),
        PERCENT * fits.overConstant(),
        PERCENT * fits.refused(),
        PERCENT * fits.coverage(),
        PERCENT * fits.given(),
        fits.width(),
        fits.warnings());
  }
}
