package io.gauze.benchmarks.papers;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Measures the figures of the papers; writes each as a picture and as a page with its table. */
public final class Papers {
  private static final String FOLDER = "benchmarks/results/papers";

  private interface Measurement {
    List<Figure> measure() throws Exception;
  }

  private Papers() {}

  /** The figures by the names that choose them. New figures are lines here. */
  private static Map<String, Measurement> figures(Path data) {
    Map<String, Measurement> all = new LinkedHashMap<>();
    all.put("000-1", () -> List.of(IrlsFigure.figure()));
    all.put("001-1", () -> List.of(FunctionalFigures.spread(ScaledRows.earnings())));
    all.put("001-2", () -> FunctionalFigures.comparison("2", ScaledRows.wine(data)));
    all.put("001-3", () -> FunctionalFigures.comparison("3", ScaledRows.earnings()));
    all.put("001-5", () -> List.of(FunctionalFigures.histogram(ScaledRows.earnings())));
    for (int extra : new int[] {0, 1, 5}) {
      all.put("003-" + extra, () -> List.of(new GramFigure(extra).measure()));
    }
    all.put("002-sizes", () -> SketchFigures.squared());
    all.put("002-l1", () -> SketchFigures.absolute());
    all.put("002-bare", () -> SketchFigures.bareBuckets());
    all.put("002-bounds", () -> SketchFigures.bounds());
    all.put("004-frank-wolfe", () -> List.of(RateFigures.frankWolfe()));
    all.put("004-hard-thresholding", () -> List.of(RateFigures.hardThresholding()));
    all.put("004-objective", () -> List.of(ObjectiveFigure.figure()));
    return all;
  }

  /**
   * Arguments: the folder of the reference data, the folder to write to
   * (benchmarks/results/papers), and the names of figures; all if there is none.
   */
  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args.length > 1 ? args[1] : FOLDER);
    Map<String, Measurement> figures = figures(Path.of(args[0]));
    Set<String> words = Arrays.stream(args).skip(2).collect(Collectors.toSet());
    if (!figures.keySet().containsAll(words)) {
      throw new IllegalArgumentException(
          "figures must be of " + figures.keySet() + ". Provided value: " + words);
    }
    Files.createDirectories(folder);
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    for (Map.Entry<String, Measurement> one : figures.entrySet()) {
      if (words.isEmpty() || words.contains(one.getKey())) {
        for (Figure figure : one.getValue().measure()) {
          write(figure, one.getKey(), folder);
          out.println("\n## " + figure.title() + "\n\nMedians of: " + figure.y().label() + "\n");
          out.println(figure.table());
        }
      }
    }
  }

  private static void write(Figure figure, String name, Path folder) throws IOException {
    String command = "benchmarks/papers DATA " + FOLDER + " " + name;
    LocalDate today = LocalDate.now(Clock.systemUTC());
    Files.writeString(folder.resolve(figure.name() + ".svg"), figure.svg());
    Files.writeString(folder.resolve(figure.name() + ".md"), figure.page(command, today));
  }
}
