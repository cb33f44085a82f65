package io.gauze.solver;

import io.gauze.release.Release;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.util.Collector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One answer for each release that has the response; what is no release, or lacks it, is logged and
 * passed over.
 */
final class SolveFunction implements FlatMapFunction<byte[], Answer> {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(SolveFunction.class);

  private final String response;

  SolveFunction(String response) {
    this.response = response;
  }

  @Override
  public void flatMap(byte[] body, Collector<Answer> out) {
    try {
      out.collect(ReleaseSolver.solve(Release.fromBytes(body), response));
    } catch (IllegalArgumentException e) {
      LOG.error("A record of the releases topic cannot be answered: {}", e.getMessage());
    }
  }
}
