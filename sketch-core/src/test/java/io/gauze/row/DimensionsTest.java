package io.gauze.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gauze.sketch.CountSketchSpec;
import io.gauze.sketch.GaussianProjectionSpec;
import io.gauze.sketch.SecondMomentsSpec;
import org.junit.jupiter.api.Test;

class DimensionsTest {
  @Test
  void wideRowsAreForSketchesOfRowsAlone() {
    assertThat(new CountSketchSpec(20_000, 4096, 0).stateLength()).isEqualTo(81_920_000);
    assertThat(CountSketchSpec.mostBuckets(20_000)).isEqualTo(4096);
    assertThat(CountSketchSpec.mostBuckets(1)).isEqualTo(1 << 20);
    assertThat(new GaussianProjectionSpec(20_000, 6710, 0).stateLength()).isEqualTo(134_200_000);
    assertThat(new SecondMomentsSpec(4096).stateLength()).isEqualTo(8_390_656);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SecondMomentsSpec(4097))
        .withMessage(
            "dimension must be in [1, 4096] for all mechanisms but count-sketch and jl with state"
                + " projection; list fewer categories, with other for the rest, or take"
                + " count-sketch. Provided value: 4097");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Dimensions.square("features", 0))
        .withMessage("features must be in [1, 4096]. Provided value: 0");
  }
}
