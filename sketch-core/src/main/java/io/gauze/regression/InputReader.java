package io.gauze.regression;

/**
 * One method for each kind of {@link FitInput}, so that a reader that lacks one does not compile.
 *
 * @param <T> what it makes of them
 */
interface InputReader<T> {
  T exactMoments(ExactMoments input);

  T exactRows(ExactRows input);

  T noisyMoments(NoisyMomentsInput input);

  T strata(ReleasedStrata input);

  T l1Rows(ReleasedL1Rows input);

  T counts(ReleasedCounts input);

  T statistics(ReleasedStatistics input);

  T selection(ReleasedSelection input);

  T model(ReleasedModel input);
}
