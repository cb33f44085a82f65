package io.gauze.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.gauze.accounting.Budget;
import io.gauze.accounting.Guarantee;
import io.gauze.accounting.Neighbours;
import io.gauze.accounting.UnitKind;
import io.gauze.answer.SmallReleases;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import io.gauze.regression.RegressionProblem;
import io.gauze.release.Release;
import io.gauze.row.CategoryColumn;
import io.gauze.row.RowSchema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class FitSourceTest {
  private static String sentence(Release... releases) {
    return FitSource.of(List.of(releases)).guarantee().get("sentence").asText();
  }

  /** A row is in one epoch; a user may be in all. */
  @Test
  void theGuaranteeOfMergedEpochsHoldsForRowsAlone() {
    assertThat(sentence(SmallReleases.hour(1))).doesNotContain("Merged");
    assertThat(sentence(SmallReleases.hour(1), SmallReleases.hour(2)))
        .endsWith("it holds for all of them together.");
    assertThat(sentence(SmallReleases.ofUsers(1), SmallReleases.ofUsers(2)))
        .contains("Merged from 2 releases, each with this guarantee.")
        .endsWith("their costs add up: see the ledger.");
  }

  /** The moments of few columns are kept beside the buckets, and those of many are not. */
  @Test
  void itsSizeIsThatOfWhatIsKept() {
    assertThat(ofBuckets(512).numbers()).isBetween(2L * 512 + 131_328, 2L * 512 + 132_328);
    assertThat(ofBuckets(513).numbers()).isBetween(2L * 513, 2L * 513 + 1000);
  }

  private static CategoryColumn categories(int dimension) {
    return new CategoryColumn(
        "c", "c", IntStream.range(0, dimension).mapToObj(Integer::toString).toList());
  }

  private static FitSource ofBuckets(int dimension) {
    SketchRequest sketch = new SketchRequest("s", "count-sketch", 1.0, Map.of("buckets", "2"));
    StreamPlan plan =
        StreamPlan.of(
            new StreamRequest(
                "wide",
                RowSchema.of(List.of(categories(dimension)), 1.0),
                new Budget(1.0, 1e-6, Neighbours.ADD_REMOVE),
                StreamRequest.ROW,
                1000,
                List.of(),
                List.of(sketch)));
    ReleaseId id = new ReleaseId("wide", "all", "all", "s");
    long[] sums = new long[2 * dimension];
    return FitSource.of(List.of(Release.of(plan, id, Randomness.SYSTEM, sums)));
  }

  private static FitReport fit(Release... releases) {
    FitSource source = FitSource.of(List.of(releases));
    RegressionProblem problem = RegressionProblem.of(source.schema(), "y");
    return BestFit.attempt(source, problem).report(true, Term.USUAL_LEVEL);
  }

  private static Release of(String stream, int hour) {
    return SmallReleases.release(stream, SmallReleases.epoch(hour), hour);
  }

  private static Guarantee guarantee(double epsilon, UnitKind unit) {
    return new Guarantee(
        epsilon,
        1e-6,
        Neighbours.REPLACE_ONE,
        unit,
        List.of(),
        "proof",
        false,
        "none",
        "random",
        true);
  }

  private static String summary(Guarantee north, Guarantee south) {
    List<ReleaseId> ids =
        List.of(SmallReleases.release("north", "all", 1).id(), SmallReleases.hour(2).id());
    Map<String, Guarantee> streams = new LinkedHashMap<>();
    streams.put("north", north);
    streams.put("south", south);
    return new StreamGuarantees(ids, streams).write().path("summary").asText();
  }

  /** By basic composition for one row in each; those of users say nothing of several epochs. */
  @Test
  void costsOfSeveralStreamsAddUpForWhoeverIsInThem() {
    assertThat(summary(guarantee(0.1, UnitKind.ROW), guarantee(0.2, UnitKind.ROW)))
        .contains(
            "Stream north: Differentially private with epsilon 0.1 and delta 1.0E-6 for each row")
        .contains(
            "(replace-one), over all releases of this stream together, if its assumptions hold.")
        .contains(
            "For one row in each of them the costs add up to epsilon 0.3 and delta 2.0E-6, if");
    assertThat(summary(guarantee(0.1, UnitKind.USER), guarantee(0.2, UnitKind.USER)))
        .contains("epochs add up", "For a user in several of them the costs add up.");
  }

  /** Streams have one encoding, and guarantees of their own. */
  @Test
  void streamsAreAddedUpAndEachKeepsItsGuarantee() {
    FitReport both = fit(of("north", 1), of("south", 1), of("south", 2));
    JsonNode guarantee = both.guarantee();
    assertThat(guarantee.has("epsilon")).isFalse();
    assertThat(guarantee.path("streams")).hasSize(2);
    assertThat(guarantee.at("/streams/1/stream").asText()).isEqualTo("south");
    assertThat(guarantee.at("/streams/1/epsilon").asDouble()).isEqualTo(20.0);
    assertThat(guarantee.path("summary").asText())
        .contains("Stream north: NOT PRIVATE", "It promises nothing.")
        .contains("For a row in several of them the costs add up.");
    assertThat(guarantee.path("sentence").asText())
        .contains("Stream south: ", "Merged from 2 releases");
    assertThat(both.rows()).isCloseTo(6000.0, within(150.0));
    double north = fit(of("north", 1)).terms().get(1).estimate();
    assertThat(both.streams().orElseThrow().streams().get(0).terms().get(1).estimate())
        .isEqualTo(north);
    JsonNode json = both.json();
    assertThat(json.at("/streams/0/coefficients/a").asDouble()).isEqualTo(north);
    assertThat(json.at("/heterogeneity/a/degrees").asInt()).isEqualTo(1);
    assertThat(fit(of("north", 1)).json().has("streams")).isFalse();
  }

  /** Of 300 coefficients that are the same in both streams, 5 % seem to differ. Measured: 10. */
  @Test
  void fewEqualCoefficientsSeemToDiffer() {
    int unlikely = 0;
    for (int pair = 0; pair < 100; pair++) {
      String hour = SmallReleases.epoch(1);
      StreamFits streams =
          fit(
                  SmallReleases.release("north", hour, 1000 + pair),
                  SmallReleases.release("south", hour, 5000 + pair))
              .streams()
              .orElseThrow();
      for (int term = 0; term < 3; term++) {
        unlikely += streams.heterogeneity(term).orElseThrow().pValue() < 0.05 ? 1 : 0;
      }
    }
    assertThat(unlikely).isBetween(5, 27); // three deviations around 15
  }
}
