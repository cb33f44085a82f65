package io.gauze.benchmarks;

import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A scenario: requests at a rate.
 *
 * @param name what is asked, and whether it was asked before
 * @param rate requests a second
 * @param request the JSON of request i
 */
record LoadQuestions(String name, int rate, IntFunction<String> request) {
  private static final int NARROW = LoadReleases.NARROW;
  private static final int WIDE = LoadReleases.WIDE;

  /** Distinct bits of an int, so that neighbours ask for quite different features. */
  private static final int SPREAD = 0x9e3779b1;

  /** Of ten columns, but for the empty one. */
  private static final int SUBSETS = 1023;

  static List<LoadQuestions> all() {
    return List.of(
        new LoadQuestions(
            "ridge, D = 12 and 52, 200 questions again and again",
            2000,
            i -> ridge(i % 2 == 0 ? NARROW : WIDE, i % 200, "")),
        new LoadQuestions(
            "ridge, D = 12, every question new, lambda given", 2000, i -> given(NARROW, i)),
        new LoadQuestions(
            "ridge, D = 12, every question new, lambda by bootstrap", 2000, LoadQuestions::narrow),
        new LoadQuestions(
            "ridge, D = 52, every question new, lambda given", 1000, i -> given(WIDE, i)),
        new LoadQuestions(
            "ridge, D = 52, every question new, lambda by bootstrap", 200, LoadQuestions::wide),
        new LoadQuestions(
            "ridge, 95 % asked before, 5 % new by bootstrap, D = 52",
            2000, i -> i % 20 == 0 ? wide(i / 20) : ridge(WIDE, i % 200, "")),
        new LoadQuestions(
            "lad, 4,096 rows, D = 12, every question new",
            100,
            i -> subset(i, "rows", ",\"loss\":\"lad\",\"lambda\":0")),
        new LoadQuestions(
            "lad, 4,096 rows, D = 12, lambda by bootstrap, every question new",
            20,
            i -> subset(i, "rows", ",\"loss\":\"lad\"")),
        new LoadQuestions(
            "lad, stratified moments, D = 12, every question new",
            5,
            i -> subset(i, "strata", ",\"loss\":\"lad\"")));
  }

  private static String ridge(int columns, int question, String more) {
    return "{\"release\":\""
        + LoadReleases.id(columns, question % LoadReleases.EPOCHS, "moments")
        + "\",\"response\":\"c"
        + (1 + question % (columns - 1))
        + "\",\"loss\":\"ridge\""
        + more
        + "}";
  }

  private static String given(int columns, int i) {
    return ridge(columns, i % 997, ",\"lambda\":" + (1.0 + i / 7.0));
  }

  /** One of 512 subsets of the other columns for each of ten responses; c1 is always there. */
  private static String subset(int i, String sketch, String more) {
    int response = 2 + i % (NARROW - 2);
    int bits = i / (NARROW - 2);
    String features =
        IntStream.range(1, NARROW)
            .filter(k -> k != response)
            .filter(k -> k == 1 || (bits >> rank(k, response) & 1) == 1)
            .mapToObj(k -> "\"c" + k + "\"")
            .collect(Collectors.joining(",", "[", "]"));
    return request(LoadReleases.id(NARROW, 0, sketch), response, features, more);
  }

  /** The number of a column other than c1 and the response, from 0; up to 8. */
  private static int rank(int column, int response) {
    return column - 2 - (column > response ? 1 : 0);
  }

  /** One of all subsets of the other columns for each response and epoch: 90,024 questions. */
  private static String narrow(int i) {
    int response = 1 + i % (NARROW - 1);
    int bits = 1 + i / (NARROW - 1) % SUBSETS;
    int epoch = i / (NARROW - 1) / SUBSETS % LoadReleases.EPOCHS;
    String features =
        IntStream.range(1, NARROW)
            .filter(k -> k != response)
            .filter(k -> (bits >> (k < response ? k - 1 : k - 2) & 1) == 1)
            .mapToObj(k -> "\"c" + k + "\"")
            .collect(Collectors.joining(",", "[", "]"));
    return request(LoadReleases.id(NARROW, epoch, "moments"), response, features, "");
  }

  /** Random halves of 51 columns. */
  private static String wide(int i) {
    int response = 1 + i % (WIDE - 1);
    long bits = (long) (i + 1) * SPREAD * 0x2545f4914f6cdd1dL;
    String features =
        IntStream.range(1, WIDE)
            .filter(k -> k != response)
            .filter(k -> k < 40 || (bits >> k & 1) == 1)
            .mapToObj(k -> "\"c" + k + "\"")
            .collect(Collectors.joining(",", "[", "]"));
    return request(
        LoadReleases.id(WIDE, i % LoadReleases.EPOCHS, "moments"), response, features, "");
  }

  private static String request(String release, int response, String features, String more) {
    return "{\"release\":\""
        + release
        + "\",\"response\":\"c"
        + response
        + "\",\"features\":"
        + features
        + more
        + "}";
  }
}
