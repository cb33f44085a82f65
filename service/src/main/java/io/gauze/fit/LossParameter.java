package io.gauze.fit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.regression.Loss;

/** Adds the parameter of a loss, if it has one. */
record LossParameter(ObjectNode top) implements Loss.Reader<ObjectNode> {
  @Override
  public ObjectNode squared() {
    return top;
  }

  @Override
  public ObjectNode quantile(Loss.Quantile quantile) {
    return top.put("quantile", quantile.tau());
  }

  @Override
  public ObjectNode huber(Loss.Huber huber) {
    return top.put("huberThreshold", huber.threshold());
  }

  @Override
  public ObjectNode logistic() {
    return top;
  }
}
