package io.gauze.plan;

/**
 * The constants of planned row bounds that were chosen on data. All of them decide what a planned
 * bound is, so that a change of one is another stream: the golden files of encodings hold them.
 *
 * <p>DATA is the folder of the reference data, see docs/benchmarks.md. <i>The six data sets</i> are
 * those of benchmarks/results/excess.md, and <i>skewed rows</i> those of
 * benchmarks/results/skewed-rows.md, which chose none of these.
 */
public final class Tuning {
  /**
   * The standard deviation of a number around its typical value, if the config gives no spread.
   *
   * <p>Unit: the range of the column, in (0, 0.5]. Data: the six data sets. Chosen: by hand; most
   * columns spread less. Figure: none is kept; with spreads that are given, the excess at epsilon 1
   * is 1.7 to 21 times smaller than with this one (docs/accuracy.md).
   */
  static final double DEFAULT_SPREAD = 0.25;

  /**
   * The share of the response's variance that features explain in the prediction of noise.
   *
   * <p>Unit: none, in (0, 1). Data: the six data sets. Chosen: by hand. Figure: none is kept; a
   * bound depends on it by the sixth root.
   */
  static final double EXPLAINED = 0.5;

  /**
   * The least kappa: the squared bound of the features over the mean square of a row's features.
   *
   * <p>Unit: none, at least 1. Data: the six data sets. Chosen: by hand, by the excess of
   * benchmarks/accuracy DATA 1000 excess. Figure: the tries are not kept; the planned bound is
   * better than 1.5 times as much on these data (docs/accuracy.md), and in 7 of 8 lines of skewed
   * rows at epsilon 0.1.
   */
  static final double LEAST_KAPPA = 1.15;

  /**
   * Where the noise of a release and the shortening of rows balance: kappa is {@code (BALANCE /
   * P)^(1/6)}, P the predicted excess by noise at a kappa of 1. Noise costs about P kappa^2, and
   * what it costs that rows are shortened falls with kappa, by long tails about with its fourth
   * power. Columns of real data depend on each other, which makes the cost of noise 2 to 1,000
   * times the predicted one, and some have longer tails than others: it is a compromise.
   *
   * <p>Unit: a relative excess, above 0. Data: the six data sets. Chosen: by hand, by the excess of
   * benchmarks/accuracy DATA 1000 excess. Figure: the tries are not kept; the planned bound is
   * better than 1.5 times as much on these data (docs/accuracy.md), but in 10 of 24 lines of skewed
   * rows alone: 7, 3 and none of 8 at epsilon 0.1, 1 and 5. What a kappa costs in slopes is
   * measured in {@code RowBoundBiasTest}.
   */
  static final double BALANCE = 2.8e-3;

  /**
   * A cost of noise, P kappa^2, that nobody can see even where the real one is 1,000 times it: the
   * bound is at least so wide.
   *
   * <p>Unit: a relative excess, above 0. Data: the six data sets, whose cost of noise is up to
   * 1,000 times the predicted one. Chosen: by hand, as 0.025 % over 1,000. Figure: none is kept.
   */
  static final double INVISIBLE = 2.5e-7;

  /**
   * The part of kappa - 1 that is kept where no column has a spread. The end of a range is then two
   * default spreads from its middle, so that tails are short.
   *
   * <p>Unit: none, in (0, 1]. Data: the six data sets with ranges alone. Chosen: by hand, by
   * benchmarks/accuracy DATA 1000 excess. Figure: none is kept.
   */
  static final double TAILS_OF_RANGES = 0.5;

  /**
   * The least bound of a response.
   *
   * <p>Unit: spreads of the response, above 0. Data: the six data sets. Chosen: by hand, so that
   * hardly any response is shortened where noise is large. Figure: none is kept; naming the
   * response costs up to a factor of three in excess with it (docs/accuracy.md).
   */
  static final double RESPONSE_SPREADS = 3.25;

  /**
   * The least squared bound of a response for each kappa: where the bound of the features is wide,
   * that of the response must be too, or it cuts off just what long features explain.
   *
   * <p>Unit: squared spreads of the response, above 0. Data: the six data sets. Chosen: by hand, by
   * the lines <i>and the response</i> of benchmarks/accuracy DATA 1000 excess. Figure: none is
   * kept.
   */
  static final double RESPONSE_SQUARES = 5.0;

  /**
   * The least squared bound of the responses over that of the features.
   *
   * <p>Unit: none, in [0, 1]. Data: the six data sets. Chosen: by hand, as what costs little and
   * spares tails: a quarter raises the squared bound of a row by a quarter. Figure: none is kept.
   */
  static final double RESPONSE_SHARE = 0.25;

  /**
   * The nearer end of the range of a column with a long tail is closer to its typical value.
   *
   * <p>Unit: spreads of the column, above 0. Data: the six data sets. Chosen: by hand, so that none
   * of 10,800 releases of these called its response skewed, where most of skewed rows did. Figure:
   * none is kept.
   */
  static final double NEAR_END = 2.25;

  /**
   * The farther end of the range of a column with a long tail is farther from its typical value.
   *
   * <p>Unit: spreads of the column, above {@link #NEAR_END}. Data: the six data sets. Chosen: by
   * hand, together with it. Figure: none is kept.
   */
  static final double FAR_END = 7.0;

  private Tuning() {}
}
