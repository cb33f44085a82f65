package io.gauze.solver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.fit.FitQuestion;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SolverClientTest {
  private static ObjectNode request(Optional<String> ids) {
    return SolverClient.request(ids, FitQuestion.byAllOthers("y"), Duration.ofSeconds(3));
  }

  /** One id is asked for as it is, several and ranges as a list. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a/all/1/s | release | a/all/1/s",
        "a/x,y/1/s | release | a/x,y/1/s",
        "\"a/x,y/1/s\" | release | a/x,y/1/s",
        "a/all/1/s..a/all/2/s | releases | a/all/1/s..a/all/2/s",
        "a/all/1/s,b/all/1/s | releases | a/all/1/s,b/all/1/s",
        "\"a/x,y/1/s\",b/all/1/s | releases | \"a/x,y/1/s\",b/all/1/s"
      })
  void idsGoWhereTheyBelong(String ids, String key, String value) {
    ObjectNode request = request(Optional.of(ids));
    assertThat(request.path(key).asText()).isEqualTo(value);
    assertThat(request.has("release") && request.has("releases")).isFalse();
  }

  @Test
  void withoutIdsTheSolverChooses() {
    ObjectNode request = request(Optional.empty());
    assertThat(request.has("release") || request.has("releases")).isFalse();
  }
}
