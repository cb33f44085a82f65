package io.gauze.model.track;

/** What the release of a model that is kept up to date says beside its coefficients. */
public sealed interface PublishedTrack permits TrackedModel, ResidualTrack {
  /** The noisy number of rows, which may be below 0. */
  long count();

  /** How many epochs before its own the one is that it begins with; 0 if it begins with none. */
  long epochsBefore();

  /** The weight of the ridge; 0 if there is none. */
  double ridge();
}
