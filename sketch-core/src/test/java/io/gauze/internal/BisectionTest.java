package io.gauze.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Each end stays on its side, whichever is the upper one. */
final class BisectionTest {
  @Test
  void theEndsBecomeNeighboursOnEitherSide() {
    Bisection rising = new Bisection(1.0, 2.0).narrow(Bisection.MOST, x -> x * x >= 2.0);
    assertThat(rising.fails() * rising.fails()).isLessThan(2.0);
    assertThat(rising.holds() * rising.holds()).isGreaterThanOrEqualTo(2.0);
    assertThat(rising.holds()).isEqualTo(Math.nextUp(rising.fails()));

    Bisection falling = new Bisection(2.0, 1.0).narrow(Bisection.MOST, x -> x * x < 2.0);
    assertThat(falling.fails()).isEqualTo(rising.holds());
    assertThat(falling.holds()).isEqualTo(rising.fails());
  }

  @Test
  void itIsHalvedNoMoreThanAsked() {
    assertThat(new Bisection(0.0, 1.0).narrow(3, x -> x > 0.3))
        .isEqualTo(new Bisection(0.25, 0.375));
    assertThat(new Bisection(0.0, 1.0).narrow(100, ends -> ends.width() > 0.3, x -> x > 0.3))
        .isEqualTo(new Bisection(0.25, 0.5));
    assertThat(new Bisection(1.0, 256.0).narrowLog(2, ends -> true, x -> x > 10.0))
        .isEqualTo(new Bisection(4.0, 16.0));
    assertThat(new Bisection(2.0, 2.0).narrow(5, x -> false)).isEqualTo(new Bisection(2.0, 2.0));
  }
}
