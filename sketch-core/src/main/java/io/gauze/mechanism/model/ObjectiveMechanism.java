package io.gauze.mechanism.model;

import io.gauze.accounting.MechanismCost;
import io.gauze.mechanism.RowsMechanism;
import io.gauze.model.ModelRows;
import io.gauze.model.ObjectiveCalibration;
import io.gauze.model.ObjectivePerturbation;
import io.gauze.model.ObjectiveSpec;
import io.gauze.noise.Entropy;
import java.util.Map;
import java.util.TreeMap;

/** A model that is the minimum of an objective with a random linear term. */
interface ObjectiveMechanism extends RowsMechanism {
  /** The response and the features. */
  ModelColumns columns();

  /** The public numbers of the objective. */
  ObjectiveSpec objective();

  /** The public guess from which an error is predicted. */
  long expectedRows();

  /** The calibrated objective. */
  default ObjectivePerturbation perturbation() {
    return ObjectivePerturbation.of(objective());
  }

  @Override
  default MechanismCost cost() {
    return new MechanismCost.Approximate(
        objective().budget().epsilon(), objective().budget().delta());
  }

  @Override
  default double stepSize() {
    return Math.scalb(1.0, -perturbation().calibration().outputBits());
  }

  /** What the random linear term moves a coefficient by, at most, where there are no rows. */
  @Override
  default double sigma() {
    ObjectiveCalibration calibration = perturbation().calibration();
    return Math.scalb(calibration.deviation() / calibration.lambda(), calibration.outputBits());
  }

  @Override
  default ModelRows rows() {
    return perturbation().rows();
  }

  @Override
  default int mostRows() {
    return perturbation().calibration().mostRows();
  }

  @Override
  default int payloadLength() {
    return columns().features().size();
  }

  @Override
  default long[] fit(ModelRows rows, Entropy entropy) {
    return perturbation().steps(rows, entropy);
  }

  /** The parameters that all of these models have; may be changed. */
  @Override
  default Map<String, Double> parameters() {
    ObjectiveCalibration calibration = perturbation().calibration();
    return new TreeMap<>(
        Map.of(
            EXPECTED_ROWS,
            (double) expectedRows(),
            ObjectiveModels.FEATURE_BOUND,
            objective().featureBound(),
            "epsilon",
            objective().budget().epsilon(),
            "determinantShare",
            objective().determinantShare(),
            ObjectiveModels.GRADIENT,
            calibration.deviation(),
            ObjectiveModels.RIDGE,
            calibration.lambda()));
  }

  @Override
  default Map<String, String> settings() {
    return columns().settings();
  }

  @Override
  default String noiseLaw() {
    ObjectiveCalibration calibration = perturbation().calibration();
    return ObjectiveModels.noiseLaw(calibration.law(), calibration.outputScale());
  }
}
