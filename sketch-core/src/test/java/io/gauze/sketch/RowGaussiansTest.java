package io.gauze.sketch;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.row.RowBatch;
import io.gauze.row.RowHasher;
import io.gauze.row.RowTag;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.SplittableRandom;
import javax.crypto.Cipher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The draws of a row are a function of its tag: word for word those of a plain reference. */
class RowGaussiansTest {
  private static final RowHasher HASHER = RowHasher.create(new SplittableRandom(41)::nextLong);

  private static RowTag tag(long offset) {
    RowTag tag = new RowTag();
    HASHER.tag(0, offset, tag);
    return tag;
  }

  private static double[] draws(long seed, int count, RowTag tag) {
    double[] out = new double[count];
    new RowGaussians(seed, count).fill(tag.first(), tag.second(), out, 0);
    return out;
  }

  private static double[] reference(ReferenceGaussians reference, int count) {
    return Arrays.stream(reference.next(count)).map(x -> x * 0x1p24).toArray();
  }

  /** 2^18 draws, of which about 4000 come from the edge of a layer and 60 from the tail. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 17, 256, 1000})
  void equalTheReference(int count) throws GeneralSecurityException {
    Cipher aes = ReferenceGaussians.aes(-9);
    RowGaussians gaussians = new RowGaussians(-9, count);
    double[] out = new double[count + 3];
    for (int i = 0; i < (1 << 18) / count; i++) {
      RowTag tag = tag(i);
      gaussians.fill(tag.first(), tag.second(), out, 3);
      ReferenceGaussians row = ReferenceGaussians.ofRow(aes, tag.first(), tag.second());
      assertThat(Arrays.copyOfRange(out, 3, count + 3)).isEqualTo(reference(row, count));
    }
    assertThat(out).startsWith(0.0, 0.0, 0.0);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 15, 100})
  void batchesAreRowsOneByOne(int count) {
    RowBatch batch = new RowBatch(1, 50);
    for (int i = 0; i < 50; i++) {
      batch.add(tag(i), Updates.row(1), 1);
    }
    RowGaussians gaussians = new RowGaussians(3, count);
    double[][] out = new double[40][count];
    gaussians.fill(batch, 7, 40, out);
    gaussians.fill(batch, 7, 40, out); // again, with what the first call has left behind
    for (int i = 0; i < 40; i++) {
      assertThat(out[i]).isEqualTo(draws(3, count, tag(7 + i)));
    }
  }

  /**
   * Tags found by search among some 10^5, whose draws reject so often that they need more words
   * than are prepared for a row, 1.03 a draw and some: alone, and in a batch between rows that do
   * not.
   */
  @ParameterizedTest
  @CsvSource({"31, 162939, 41", "63, 30438, 76", "95, 42693, 109", "127, 18671, 144"})
  void rowsThatNeedManyWords(int count, long offset, int words) throws GeneralSecurityException {
    RowTag hard = tag(offset);
    ReferenceGaussians row =
        ReferenceGaussians.ofRow(ReferenceGaussians.aes(0), hard.first(), hard.second());
    double[] expected = reference(row, count);
    assertThat(row.used()).isEqualTo(words);
    assertThat(draws(0, count, hard)).isEqualTo(expected);
    assertThat(draws(0, 2 * count, hard)).startsWith(expected);

    RowBatch batch = new RowBatch(1, 3);
    for (RowTag tag : new RowTag[] {tag(-1), hard, tag(-2)}) {
      batch.add(tag, Updates.row(1), 1);
    }
    double[][] out = new double[3][count];
    new RowGaussians(0, count).fill(batch, 0, 3, out);
    assertThat(out[0]).isEqualTo(draws(0, count, tag(-1)));
    assertThat(out[1]).isEqualTo(expected);
    assertThat(out[2]).isEqualTo(draws(0, count, tag(-2)));
  }

  @Test
  void fewerDrawsAreTheFirstOnes() {
    for (int i = 0; i < 20; i++) {
      double[] all = draws(5, 1 << 14, tag(i));
      for (int count : new int[] {1, 3, 64, 5000}) {
        assertThat(all).startsWith(draws(5, count, tag(i)));
      }
    }
  }

  @Test
  void otherSeedsAndOtherTagsHaveOtherDraws() {
    double[] draws = draws(0, 8, Updates.tag(1, 2));
    assertThat(draws(0, 8, Updates.tag(1, 2))).isEqualTo(draws);
    assertThat(draws(1, 8, Updates.tag(1, 2))).doesNotContain(draws);
    assertThat(draws(0, 8, Updates.tag(2, 2))).doesNotContain(draws);
    assertThat(draws(0, 8, Updates.tag(1, 2 + (1L << 32)))).doesNotContain(draws);
    assertThat(draws(0, 8, Updates.tag(2, 1))).doesNotContain(draws);
  }
}
