package io.gauze.sketch;

/**
 * The constants of planned shapes of sketches that were chosen on data. A planned shape is part of
 * a stream: a change of one is another stream.
 *
 * <p>Signal over noise of strata is {@code r = n / (sigma sqrt D)}. The median excess of the mean
 * absolute error in 14 releases, delta 1e-6, with 4, 5, 8 and 9 strata of the response was, in %:
 *
 * <table>
 * <caption>Measured by hand</caption>
 * <tr><th>data<th>r<th>4<th>5<th>8<th>9
 * <tr><td>earnings<td>175<td>4.7<td>2.9<td>6.8<td>6.8
 * <tr><td>hours of work<td>204<td>7.7<td>4.2<td>5.1<td>3.5
 * <tr><td>house values<td>1,013<td>0.9<td>1.2<td>1.4<td>1.8
 * <tr><td>diamonds<td>1,985<td>19<td>15<td>24<td>29
 * <tr><td>flight delays<td>2,630<td>5.8<td>10<td>7.9<td>4.5
 * <tr><td>wine<td>4,733<td>0.91<td>0.80<td>0.98<td>0.97
 * <tr><td>diamonds<td>6,330<td>4.9<td>6.7<td>5.9<td>9.4
 * <tr><td>flight delays<td>11,000<td>1.5<td>2.4<td>2.7<td>0.79
 * </table>
 */
public final class Tuning {
  /**
   * The r from which a response has 9 strata in place of 5.
   *
   * <p>Unit: rows over rows, above 0. Data: those of the table. Chosen: by hand. Figure: below it 5
   * strata are better than 9 in 5 of 7 lines, above it 9 are better in 1 of 1.
   */
  static final double NINE_STRATA = 8_000.0;

  /**
   * The r from which a response has 17 strata.
   *
   * <p>Unit: rows over rows, above 0. Data: none is kept. Chosen: by hand. Figure: none is kept.
   */
  static final double SEVENTEEN_STRATA = 20_000.0;

  /**
   * The buckets of a multilevel sketch over those of level 0. The other half holds a sample of
   * about one row each.
   *
   * <p>Unit: none, at least 2. Data: house values and flight delays (8 features, 20,640 and 327,346
   * rows), and prices of diamonds. Chosen: by hand, among shapes of one and more levels. Figure:
   * without noise and with one copy the median excess of the objective was 1.9 % with 2,000 buckets
   * and 0.8 to 0.9 % with 11,000; more levels were no better, and worse on prices of diamonds.
   */
  static final int OVER_LEVEL_0 = 2;

  private Tuning() {}
}
