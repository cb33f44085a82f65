package io.gauze.benchmarks;

import io.gauze.accounting.Budget;
import io.gauze.config.ConfigException;
import io.gauze.config.StreamConfig;
import io.gauze.mechanism.descent.DescentModel;
import io.gauze.mechanism.twostage.NormCells;
import io.gauze.mechanism.twostage.TwoStageMoments;
import io.gauze.mechanism.twostage.TwoStageStrata;
import io.gauze.regression.Loss;
import io.gauze.regression.advice.Advisor;
import io.gauze.row.RowSchema;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Fits of data sets whose configs were written before their files were opened, of the reference
 * data, and of the made-up rows with skewed columns: by moments of one stage, of two, and of what
 * {@code auto} takes. By ridge, if no other question is named.
 */
final class PoolTable {
  static final String TABLE = "pool";
  static final List<String> SETS =
      List.of("houseprices", "movies", "nmes", "college", "vocab", "smokeban");
  static final String RANGES = "ranges-alone";
  static final String TYPICAL = "typical-values";
  static final List<String> SAID = List.of(RANGES, TYPICAL, "response-named");

  /** Two stages in a stream of so many equal epochs. */
  static final String SERIES = "series";

  static final List<String> MECHANISMS =
      List.of("noisy-moments", "two-stage-moments", SERIES, "descent", "auto");

  /** The ridge of the paper, of a release of {@code ada-ssp}. */
  static final String PUBLISHED_SSP = "ada-ssp-published";

  static final String DESCENT = "tuned-descent";

  /** Models of one question of their own, which are asked that one. */
  static final String HUBER_MODEL = "huber-model";

  static final String QUANTILE_MODEL = "quantile-model";

  /** Two stages with the bound that is best for the rows. */
  static final String BEST_BOUND = "best-bound";

  /** What others have published, what nobody can know, and strata: printed if they are named. */
  static final List<String> BASELINES =
      List.of(
          "ada-ssp",
          PUBLISHED_SSP,
          "functional",
          DESCENT,
          BEST_BOUND,
          TwoStageStrata.NAME,
          HUBER_MODEL,
          QUANTILE_MODEL);

  private static final List<String> WITHOUT_WORDS = List.of(PUBLISHED_SSP, DESCENT, BEST_BOUND);

  /** Of a baseline that tells nothing of its fits. */
  private static final String UNTOLD = " | -".repeat(8);

  private static final Pattern NAME = Pattern.compile("(?m)^ *- \\{name: ([^,]+), (?!mech)");
  private static final double PERCENT = 100.0;

  private static final int OUTLIERS = 10_000; // rows
  private static final int FEW = 7; // releases with each bound
  private static final int BEST = 3; // bounds with all releases

  private final Path folder;
  private final List<AccuracyData> reference;
  private final int releases;
  private final PrintStream out;

  /**
   * Creates a table.
   *
   * @param folder of the reference data
   * @param reference the reference data
   */
  PoolTable(Path folder, List<AccuracyData> reference, int releases, PrintStream out) {
    this.folder = folder.resolve("pool");
    this.reference = reference;
    this.releases = releases;
    this.out = out;
  }

  /** Returns a data set under the config of what is said beside its columns' ranges. */
  static AccuracyData data(Path pool, String name, String said) throws IOException {
    String config =
        Files.readString(pool.resolve(name + "-" + said.replaceFirst("-.*", "") + ".yaml"));
    Path file = pool.resolve(name + ".csv.gz");
    return new AccuracyData(name, config, file, Integer.MAX_VALUE, Integer.MAX_VALUE);
  }

  /** The names of all sets. */
  List<String> sets() {
    return Stream.of(
            SETS.stream(),
            reference.stream().map(AccuracyData::name),
            Stream.of(AccuracyData.OUTLIERS),
            Stream.of(SkewedRows.values()).map(SkewedRows::label))
        .flatMap(Function.identity())
        .toList();
  }

  /**
   * Prints the table.
   *
   * @param questions those of baselines that tell nothing of their fits are not put
   */
  void print(
      List<String> sets,
      List<String> said,
      List<String> epsilons,
      List<String> mechanisms,
      List<AccuracyQuestion> questions)
      throws IOException, ConfigException {
    out.println(
        "\n| data | the config says | epsilon | mechanism | excess, % | of shortened rows, % | fits"
            + " predict, % | `advise` predicts, % | covered, % | least covered coefficient, %"
            + " | given, % | called good, % | wrongly, % |");
    out.println("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    for (String set : sets) {
      for (String config : said) {
        AccuracyData data = data(set, config);
        for (String epsilon : epsilons) {
          for (String mechanism : mechanisms) {
            if (WITHOUT_WORDS.contains(mechanism)) {
              printUntold(data, config, epsilon, mechanism);
              continue;
            }
            for (AccuracyQuestion question : questions) {
              if (answers(mechanism, question)) {
                print(data, config, epsilon, mechanism, question);
              }
            }
          }
        }
      }
    }
  }

  private AccuracyData data(String set, String said) throws IOException {
    AccuracyData typical =
        SETS.contains(set) ? data(folder, set, TYPICAL) : withoutResponse(other(set));
    return switch (said) {
      case RANGES -> SETS.contains(set) ? data(folder, set, said) : typical.rangesOnly();
      case TYPICAL -> typical;
      default -> typical.with(typical.config() + "response: " + last(typical.config()) + "\n");
    };
  }

  private static AccuracyData withoutResponse(AccuracyData data) {
    return data.with(data.config().replaceAll("(?m)^response: .*$", ""));
  }

  private AccuracyData other(String set) throws IOException {
    for (AccuracyData data : reference) {
      if (data.name().equals(set)) {
        return data;
      }
    }
    if (set.equals(AccuracyData.OUTLIERS)) {
      return AccuracyData.outliers(OUTLIERS);
    }
    return SkewedRows.valueOf(set.toUpperCase(Locale.ROOT)).data();
  }

  /** The name of the last column of a config. */
  private static String last(String config) {
    Matcher names = NAME.matcher(config);
    String last = "";
    while (names.find()) {
      last = names.group(1);
    }
    return last;
  }

  private void print(
      AccuracyData data, String said, String epsilon, String mechanism, AccuracyQuestion asked)
      throws IOException, ConfigException {
    boolean isSeries = mechanism.equals(SERIES);
    String made = isSeries ? TwoStageMoments.NAME : made(mechanism, data, asked);
    AccuracyData read = data.withMechanism(made).withEpsilon(epsilon);
    StreamConfig config = StreamConfig.parse(data.name(), read.config());
    String taken = config.request(List.of()).sketches().get(0).mechanism();
    AccuracyQuestion question =
        new AccuracyQuestion(asked.name(), asked.loss(), asked.alpha(), made);
    AccuracySample sample = question.sample(data, epsilon);
    if (isSeries) {
      sample.releases().inSeries();
    }
    MeasuredFits fits = new MeasuredFits(sample, question, releases);
    List<String> cells = new ArrayList<>(List.of(data.name(), said, epsilon));
    String name =
        mechanism.endsWith("-model")
            ? taken
            : made.equals(taken) ? mechanism : mechanism + ": " + taken;
    cells.add(asked.loss().isSquared() ? name : name + ", " + asked.name());
    cells.add(cell("%.3g", fits.excess()));
    cells.add(cell("%.3g", fits.excessOfShortened()));
    cells.add(cell("%.3g", fits.expected()));
    cells.add(cell("%.3g", advised(config, taken, asked.loss())));
    cells.add(cell("%.1f", fits.coverage()));
    cells.add(cell("%.1f", fits.leastCoverage()));
    cells.add(cell("%.0f", fits.given()));
    cells.add(cell("%.0f", fits.calledGood()));
    cells.add(cell("%.0f", fits.wronglyGood()));
    out.println("| " + String.join(" | ", cells) + " |");
  }

  private static boolean answers(String mechanism, AccuracyQuestion asked) {
    return switch (mechanism) {
      case HUBER_MODEL -> asked.name().equals("lad") || asked.name().equals("huber");
      case QUANTILE_MODEL -> asked.name().equals("quantile");
      default -> true;
    };
  }

  /** Returns the mechanism of a sketch, with options if it is a model of a question. */
  private static String made(String mechanism, AccuracyData data, AccuracyQuestion asked)
      throws ConfigException {
    if (mechanism.equals(QUANTILE_MODEL)) {
      return "quantile, quantile: " + ((Loss.Quantile) asked.loss()).tau();
    }
    if (mechanism.equals(HUBER_MODEL)) {
      if (!(asked.loss() instanceof Loss.Huber huber)) {
        return DescentModel.HUBER;
      }
      RowSchema schema = StreamConfig.parse(data.name(), data.config()).request(List.of()).schema();
      double unit = schema.half(schema.dimension() - 1);
      return DescentModel.HUBER + ", threshold: " + huber.threshold() * unit;
    }
    return mechanism;
  }

  /** Prints the excess of a baseline whose fits are coefficients and no more. */
  private void printUntold(AccuracyData data, String said, String epsilon, String mechanism)
      throws IOException, ConfigException {
    String made =
        switch (mechanism) {
          case DESCENT -> "noisy-moments";
          case BEST_BOUND -> TwoStageMoments.NAME;
          default -> "ada-ssp";
        };
    AccuracyQuestion question = new AccuracyQuestion("ridge", Loss.SQUARED, 1.0, made);
    AccuracySample sample = question.sample(data, epsilon);
    double excess =
        switch (mechanism) {
          case DESCENT -> ofDescent(sample, question);
          case BEST_BOUND -> ofBestBound(sample, question);
          default -> ofPublished(sample, question);
        };
    List<String> cells = List.of(data.name(), said, epsilon, mechanism, cell("%.3g", excess));
    out.println("| " + String.join(" | ", cells) + UNTOLD + " |");
  }

  private double ofDescent(AccuracySample sample, AccuracyQuestion question) {
    KnownRows rows = new KnownRows(sample.rows(), question.of(sample.problem()));
    Budget budget = sample.nextRelease().guarantee().budget();
    return new TunedDescent(sample.rows(), rows, budget, new SplittableRandom()).excess(releases);
  }

  private double ofPublished(AccuracySample sample, AccuracyQuestion question) {
    KnownRows rows = new KnownRows(sample.rows(), question.of(sample.problem()));
    double[] values = new double[releases];
    Arrays.setAll(values, k -> rows.excess(PublishedAdaSsp.coefficients(sample.nextRelease())));
    return MeasuredFits.median(values);
  }

  /** The least median over bounds; only those that are best for a few releases have all of them. */
  private double ofBestBound(AccuracySample sample, AccuracyQuestion question) {
    int few = Math.min(releases, FEW);
    return IntStream.range(1, NormCells.COUNT - 1)
        .mapToObj(NormCells::upper)
        .map(square -> new Tried(square, within(square, sample, question, few)))
        .sorted(Comparator.comparingDouble(Tried::excess))
        .limit(BEST)
        .mapToDouble(tried -> within(tried.square(), sample, question, releases))
        .min()
        .orElseThrow();
  }

  private record Tried(double square, double excess) {}

  private static double within(
      double square, AccuracySample sample, AccuracyQuestion question, int releases) {
    sample.releases().within(square);
    return new MeasuredFits(sample, question, releases).excess();
  }

  private static double advised(StreamConfig config, String mechanism, Loss loss) {
    OptionalDouble excess =
        Advisor.of(config.request(List.of()), loss).stream()
            .filter(advice -> advice.mechanism().equals(mechanism))
            .findFirst()
            .map(Advisor.Advice::predictedExcess)
            .orElse(OptionalDouble.empty());
    return excess.orElse(Double.NaN);
  }

  private static String cell(String format, double share) {
    return Double.isNaN(share) ? "-" : String.format(Locale.ROOT, format, PERCENT * share);
  }
}
