package io.gauze.pipeline;

import org.apache.flink.streaming.api.operators.KeyedProcessOperator;

/** The accumulators' operator: refuses a state backend that would keep old versions of a sum. */
final class AccumulateOperator extends KeyedProcessOperator<String, CellMessage, SealedBlock> {
  private static final long serialVersionUID = 1L;

  AccumulateOperator(AccumulateFunction function) {
    super(function);
  }

  @Override
  public void open() throws Exception {
    ProtocolGuard.checkBackend(getKeyedStateBackend());
    super.open();
  }
}
