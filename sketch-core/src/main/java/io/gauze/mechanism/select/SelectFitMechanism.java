package io.gauze.mechanism.select;

import io.gauze.accounting.MechanismCost;
import io.gauze.mechanism.Mechanism;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A form of {@code select-fit}: what follows from its draws and noise, however sums are made. */
interface SelectFitMechanism extends Mechanism {
  /** The draws and the noise. */
  SelectionPlan plan();

  @Override
  default String name() {
    return SelectFit.NAME;
  }

  @Override
  default MechanismCost cost() {
    return new MechanismCost.Gaussian(plan().mu());
  }

  @Override
  default double sigma() {
    return plan().noise().diagonal().sigma();
  }

  @Override
  default Map<String, Double> parameters() {
    return plan().parameters();
  }

  @Override
  default Map<String, String> settings() {
    return Map.of(SelectFitKind.RESPONSE, plan().responseName());
  }

  /** The number of rounds: releases of other rounds have another law. */
  @Override
  default List<Integer> shape() {
    return List.of(plan().selected(), plan().rounds());
  }

  @Override
  default String noiseLaw() {
    return String.format(
        Locale.ROOT,
        "%d columns drawn by the exponential mechanism, each of range %s; in their moments %s",
        plan().selected(),
        plan().range(),
        plan().noise().law(stepSize()));
  }
}
