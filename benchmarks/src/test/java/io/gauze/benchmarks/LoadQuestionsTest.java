package io.gauze.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gauze.mechanism.ReleaseId;
import io.gauze.release.Release;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class LoadQuestionsTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  static Stream<LoadQuestions> all() {
    return LoadQuestions.all().stream();
  }

  /** Columns of the release, without the response among the features, and none twice. */
  @ParameterizedTest
  @MethodSource("all")
  void requestsAreOfColumnsOfTheirRelease(LoadQuestions questions) throws Exception {
    for (int i = 0; i < 500; i++) {
      JsonNode request = JSON.readTree(questions.request().apply(i));
      ReleaseId id = ReleaseId.parse(request.get("release").textValue());
      int columns = Integer.parseInt(id.stream().replace("load-", ""));
      List<String> known = IntStream.range(1, columns).mapToObj(k -> "c" + k).toList();
      List<String> named = new ArrayList<>(List.of(request.get("response").textValue()));
      request.path("features").forEach(feature -> named.add(feature.textValue()));
      assertThat(known).containsAll(named);
      assertThat(named).doesNotHaveDuplicates();
      assertThat(Integer.parseInt(id.epoch())).isBetween(0, LoadReleases.EPOCHS - 1);
    }
  }

  /** A run of a minute at a quarter of the rate, and half a minute, has no new question twice. */
  @ParameterizedTest
  @MethodSource("all")
  void newQuestionsAreNew(LoadQuestions questions) {
    int count = 45 * questions.rate();
    Set<String> distinct = new HashSet<>();
    for (int i = 0; i < count; i++) {
      distinct.add(questions.request().apply(i));
    }
    assertThat(distinct.size() == count).isEqualTo(questions.name().contains("every question new"));
  }

  @Test
  void aFurtherReleaseIsOfTheRowsOfItsEpoch() {
    Release release = LoadReleases.further(30);
    assertThat(release.id()).hasToString(LoadReleases.id(LoadReleases.NARROW, 30, "moments"));
    assertThat(release.schema().dimension()).isEqualTo(LoadReleases.NARROW);
    assertThat(release.value(0)).isBetween(19_000.0, 21_000.0); // 20,000 rows of an intercept of 1
  }
}
