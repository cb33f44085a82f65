package io.gauze.pipeline.read;

import io.gauze.kafka.DeadLetter;
import io.gauze.kafka.RowRecord;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

/**
 * The side outputs of records that are in no sketch, each record with its reason, and their
 * counters.
 */
public final class DeadLetterOutputs {
  public static final OutputTag<DeadLetter> DEAD = new OutputTag<>("dead-letters", DeadLetter.TYPE);
  public static final OutputTag<DeadLetter> LATE = new OutputTag<>("late", DeadLetter.TYPE);

  private final Output<?> output;
  private final Counter dead;
  private final Counter late;

  DeadLetterOutputs(Output<?> output, MetricGroup metrics) {
    this.output = output;
    dead = metrics.counter("deadLetters");
    late = metrics.counter("lateRows");
  }

  void dead(RowRecord record, String reason) {
    dead.inc();
    output.collect(DEAD, new StreamRecord<>(new DeadLetter(reason, record)));
  }

  void late(RowRecord record, String reason) {
    late.inc();
    output.collect(LATE, new StreamRecord<>(new DeadLetter(reason, record)));
  }
}
