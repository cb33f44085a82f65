package io.gauze.mechanism;

import io.gauze.accounting.MechanismCost;
import io.gauze.sketch.SketchSpec;
import java.util.List;
import java.util.Map;

/**
 * A mechanism that adds the noise of another mechanism at other times. By default each method
 * returns the value of the inner mechanism; an implementation defines when the noise is added.
 */
interface DerivedMechanism extends Mechanism {
  /** The mechanism whose noise is added. */
  Mechanism inner();

  @Override
  default String name() {
    return inner().name();
  }

  @Override
  default SketchSpec spec() {
    return inner().spec();
  }

  @Override
  default MechanismCost cost() {
    return inner().cost();
  }

  @Override
  default double stepSize() {
    return inner().stepSize();
  }

  @Override
  default double sigma() {
    return inner().sigma();
  }

  @Override
  default Map<String, Double> parameters() {
    return inner().parameters();
  }

  @Override
  default Map<String, String> settings() {
    return inner().settings();
  }

  @Override
  default List<Integer> shape() {
    return inner().shape();
  }

  @Override
  default String noiseLaw() {
    return inner().noiseLaw();
  }
}
