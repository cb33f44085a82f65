package io.gauze.regression.moments;

import io.gauze.regression.InverseDraws;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@link ExpectedErrorTest} of inverse Wishart noise. */
final class InverseExpectedErrorTest {
  @ParameterizedTest
  @CsvSource({"10, 65536, 1024, 200", "10, 65536, 40, 50", "6, 16384, 24, 20", "6, 16384, 12, 20"})
  void ofInverses(int features, int rows, int degrees, double psi) {
    double expected =
        ExpectedError.inverseWishart(ExpectedErrorTest.model(features, rows), degrees, psi);
    ExpectedErrorTest.check(
        expected, features, rows, (m, random) -> InverseDraws.of(m, degrees, psi, random));
  }
}
