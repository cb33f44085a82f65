package io.gauze.mechanism.select;

/**
 * The constants of {@code select-fit} that were chosen on data. They decide the budget's shares,
 * and so what is released: a change of one is another stream.
 *
 * <p>DATA is the folder of the reference data, see docs/benchmarks.md. <i>The made-up rows</i> are
 * those of benchmarks/results/select-fit.md, 20 to 1,000 columns and 10,000 to 1,000,000 rows,
 * which {@code benchmarks/accuracy DATA 20 select-fit} makes.
 */
final class Tuning {
  /**
   * The largest share of mu^2 that draws of columns have.
   *
   * <p>Unit: none, in (0, 1). Data: the made-up rows. Chosen: by hand, by benchmarks/accuracy DATA
   * 20 select-fit. Figure: 1,000 columns of 10,000 rows at epsilon 1 come from 46 to 29.9 % (one
   * reading) and from 24 to 2.16 % (two), beside 40 % of the budget for all.
   */
  static final double MOST_OF_DRAWS = 0.6;

  /**
   * The share of mu^2 of the moments between rounds.
   *
   * <p>Unit: none, in (0, 1). Data: the made-up rows. Chosen: by hand, by benchmarks/accuracy DATA
   * 20 select-fit. Figure: the tries are not kept; with it three rounds have 0.76 to 1.24 times the
   * excess of one round (two readings), at correlated and at independent columns.
   */
  static final double BETWEEN_ROUNDS = 0.05;

  /**
   * The least share of mu^2 that draws have where nearly all columns are left out. Data are often
   * narrower than is planned: with so much, columns are found where they and the response have two
   * thirds of the planned deviation. Where most columns are selected, chance alone finds many.
   *
   * <p>Unit: none, in (0, 1). Data: 40 releases of 20,000 made-up rows of 59 columns with two
   * thirds of the planned deviation, 5 of them selected, epsilon 1. Chosen: by hand. Figure: 2
   * releases missed a column; with 0.15 of the budget for draws, 15 did.
   */
  static final double LEAST_OF_MANY = 0.3;

  /**
   * The least share of mu^2 that draws have.
   *
   * <p>Unit: none, in (0, 1). Data: the made-up rows, 12 of 20 columns selected. Chosen: by hand,
   * in place of 0.3 for all, by benchmarks/accuracy DATA 20 select-fit. Figure: the excess before
   * is not kept; with it 0.875 % at 10,000 rows and epsilon 1.
   */
  static final double LEAST_OF_DRAWS = 0.12;

  /**
   * What the selected columns are taken to explain of the mean square of the response.
   *
   * <p>Unit: none, in (0, 1). Data: the made-up rows, where it is 0.8. Chosen: by hand, below that,
   * since real columns explain less. Figure: none is kept.
   */
  static final double EXPLAINED = 0.5;

  /**
   * The score of a column is to be so many scales of the exponential mechanism above 0, for each
   * unit of {@code ln(candidates / selected) + MARGIN}.
   *
   * <p>Unit: scales of the noise of a draw, above 0. Data: the made-up rows. Chosen: by hand, by
   * benchmarks/accuracy DATA 20 select-fit: with less, columns are missed where there are few rows;
   * with more, the moments have more noise than need be. Figure: as of {@link #MOST_OF_DRAWS}.
   */
  static final double CLEARANCE = 0.65;

  /**
   * What is added to the logarithm of the number of candidates for a column: the largest noise of
   * so many others.
   *
   * <p>Unit: none, at least 0. Data: the made-up rows. Chosen: by hand, with {@link #CLEARANCE}.
   * Figure: as of {@link #MOST_OF_DRAWS}.
   */
  static final double MARGIN = 3.0;

  /**
   * The square of the bound of the selected columns over the expected square of a row's features.
   * Long rows weigh less, which costs less than wider noise.
   *
   * <p>Unit: none, above 0. Data: the made-up rows. Chosen: among 0.4, 0.65, 1, 1.4 and 2, by
   * benchmarks/accuracy DATA 20 select-fit. Figure: it has the smallest excess at epsilon 0.1, and
   * is as good as any at 1 and 5. Shortening rows again divides the excess of one round by 1.5 to
   * 21.
   */
  static final double FEATURE_BOUND = 1.0;

  /**
   * Several rounds pay if the mean square of a column over its noise is at least so large.
   *
   * <p>Unit: {@code n v mu}, rows times the encoded scale squared, above 0. Data: the made-up rows
   * and those of a prototype in another language. Chosen: by hand. Figure: where it is smaller,
   * three rounds of the prototype had 25 to 62 % with 100 columns and more, and one round 0.67 to
   * 13 % (two readings, independent columns).
   */
  static final double CLEAR = 800.0;

  /**
   * The number of rounds where several pay.
   *
   * <p>Unit: rounds, at least 1. Data: the made-up rows and those of a prototype in another
   * language. Chosen: by hand. Figure: with correlated columns and slopes that hide some of them,
   * one round of the prototype left 6.1 % of excess at epsilon 1 and 5, and three rounds 0.035 and
   * 0.009 %.
   */
  static final int ROUNDS = 3;

  private Tuning() {}
}
