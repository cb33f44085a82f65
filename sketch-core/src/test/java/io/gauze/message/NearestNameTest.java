package io.gauze.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestNameTest {
  @ParameterizedTest
  @CsvSource({
    "alchol, alcohol",
    "ALCOHOL, alcohol",
    "pj, pH",
    "density , density",
    "dnesity, density",
    "'', pH",
    "alcohol, alcohol"
  })
  void findsTheNearest(String given, String expected) {
    assertThat(NearestName.of(given, List.of("density", "alcohol", "pH"))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "temp, temperature",
    "TEMP, temperature",
    "w, wind",
    "speed, wind gust speed",
    "win, wind",
    "wnd, wind",
  })
  void aPartOfANameMeansThatName(String given, String expected) {
    List<String> known = List.of("wind gust speed", "temperature", "wind");
    assertThat(NearestName.of(given, known)).isEqualTo(expected);
  }

  @Test
  void theFirstOfEquals() {
    assertThat(NearestName.of("ac", List.of("ab", "ad"))).isEqualTo("ab");
  }

  @Test
  void needsACandidate() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NearestName.of("a", List.of()))
        .withMessage("known must have at least 1 name. Provided value: []");
  }

  /** A hint at a name that does not resemble the given one leads astray. */
  @Test
  void hintsOnlyAtWhatResembles() {
    List<String> known = List.of("release", "from", "to", "points", "lambda");
    assertThat(NearestName.hint("page", known)).isEmpty();
    assertThat(NearestName.hint("lamda", known)).isEqualTo("; the nearest is lambda");
    assertThat(NearestName.hint("lam", known)).isEqualTo("; the nearest is lambda");
    assertThat(NearestName.hint("lda", List.of("ridge", "lad"))).endsWith(" lad");
    assertThat(NearestName.hint("frm", known)).isEqualTo("; the nearest is from");
    assertThat(NearestName.hint("releases", known)).isEqualTo("; the nearest is release");
    assertThat(NearestName.hint("x", List.of())).isEmpty();
    assertThat(NearestName.unknown("parameter", "page", known))
        .hasMessage(
            "parameter must be one of release, from, to, points, lambda. Provided value: page");
  }
}
