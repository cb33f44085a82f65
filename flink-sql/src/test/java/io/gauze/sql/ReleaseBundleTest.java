package io.gauze.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Several releases as one value. */
final class ReleaseBundleTest {
  private static final byte[] ONE = {(byte) 0xC3, 1, 2};
  private static final byte[] OTHER = {(byte) 0xC3, 1, 3, 4};

  @Test
  void oneReleaseIsItself() {
    assertThat(ReleaseBundle.of(List.of(ONE))).isEqualTo(ONE);
    assertThat(ReleaseBundle.releases(ONE)).containsExactly(ONE);
  }

  @Test
  void severalComeBack() {
    byte[] bundle = ReleaseBundle.of(List.of(ONE, OTHER, ONE));

    assertThat(bundle).startsWith('G', 'Z', 'B', '1');
    assertThat(ReleaseBundle.releases(bundle)).containsExactly(ONE, OTHER, ONE);
  }

  @Test
  void aCutBundleIsRefused() {
    byte[] bundle = ReleaseBundle.of(List.of(ONE, OTHER));

    for (int length = 4; length < bundle.length; length++) {
      byte[] cut = Arrays.copyOf(bundle, length);
      assertThatThrownBy(() -> ReleaseBundle.releases(cut))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("must be whole");
    }
    byte[] none = Arrays.copyOf(bundle, 8);
    Arrays.fill(none, 4, 8, (byte) 0);
    assertThatThrownBy(() -> ReleaseBundle.releases(none))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Provided value: 0 releases");
  }

  @Test
  void mergedReleasesAreMergedAgain() throws Exception {
    MergeFunction merge = new MergeFunction();
    MergeFunction.Merged inner = merge.createAccumulator();
    merge.accumulate(inner, ONE);
    merge.accumulate(inner, null);
    merge.accumulate(inner, OTHER);
    merge.retract(inner, ONE.clone());
    MergeFunction.Merged outer = merge.createAccumulator();
    merge.accumulate(outer, ReleaseBundle.of(List.of(ONE, ONE)));

    merge.merge(outer, List.of(inner));

    assertThat(ReleaseBundle.releases(merge.getValue(outer))).containsExactly(ONE, ONE, OTHER);
    assertThat(merge.getValue(merge.createAccumulator())).isNull();
  }
}
