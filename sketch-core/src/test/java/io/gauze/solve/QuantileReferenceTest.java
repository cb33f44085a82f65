package io.gauze.solve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Least absolute deviations against vertices that a linear programming code found and proved. */
class QuantileReferenceTest {
  @ParameterizedTest
  @ValueSource(strings = {"stackloss", "engel"})
  void x(String task) throws IOException {}
}
