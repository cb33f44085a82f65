package io.gauze.pipeline.read;

import java.util.function.LongSupplier;
import org.apache.flink.metrics.Counter;

/** A counter that shows a count which is kept elsewhere. */
public record Tally(LongSupplier count) implements Counter {
  @Override
  public long getCount() {
    return count.getAsLong();
  }

  @Override
  public void inc() {
    throw elsewhere();
  }

  @Override
  public void inc(long n) {
    throw elsewhere();
  }

  @Override
  public void dec() {
    throw elsewhere();
  }

  @Override
  public void dec(long n) {
    throw elsewhere();
  }

  private static UnsupportedOperationException elsewhere() {
    return new UnsupportedOperationException("what this counter shows is counted elsewhere");
  }
}
