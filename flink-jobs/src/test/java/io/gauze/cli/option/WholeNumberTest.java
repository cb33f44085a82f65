package io.gauze.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class WholeNumberTest {
  @ParameterizedTest
  @CsvSource({"5000, 5000", "5_000, 5000", "1e5, 100000", "2.5e3, 2500", "-1, -1"})
  void readsNumbersAsPeopleWriteThem(String text, long expected) {
    assertThat(new WholeNumber().convert(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1.5", "1e", "1e-3", "1e99", "_5", "many", "99999999999999999999"})
  void refusesOthers(String text) {
    assertThatThrownBy(() -> new WholeNumber().convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("must be a whole number such as")
        .hasMessageEndingWith("Provided value: " + text);
  }
}
