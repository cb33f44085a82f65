package io.gauze.benchmarks;

import io.gauze.local.EmbeddedBroker;
import java.util.concurrent.CountDownLatch;

/** A broker as a process of its own, which prints its address and runs until it is ended. */
public final class LoadBroker {
  private LoadBroker() {}

  /** Without arguments. */
  public static void main(String[] args) throws Exception {
    System.out.println(EmbeddedBroker.start().bootstrapServers());
    System.out.flush();
    new CountDownLatch(1).await();
  }
}
