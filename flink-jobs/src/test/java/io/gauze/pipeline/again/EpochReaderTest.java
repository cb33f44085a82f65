package io.gauze.pipeline.again;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.SketchRequest;
import io.gauze.pipeline.FakeLog;
import io.gauze.pipeline.OperatorFixture;
import io.gauze.plan.StreamPlan;
import io.gauze.stream.Cell;
import io.gauze.stream.RowRanges;
import io.gauze.stream.SketchJobSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.Consumer;
import org.junit.jupiter.api.Test;

/** What a reading leaves behind. */
final class EpochReaderTest {
  private static final int ROWS = 100;

  private static SketchJobSettings settings() {
    SketchRequest strata = new SketchRequest("strata", "residual-strata", 1, Map.of("strata", "3"));
    StreamPlan plan =
        StreamPlan.of(
            OperatorFixture.request(2, 512, BudgetScope.ROWS).withSketches(List.of(strata)));
    return OperatorFixture.settings(plan, OperatorFixture.SECONDS);
  }

  /** The reader is closed after the last poll of a thread, before its client is put back. */
  @Test
  void aReaderThatIsClosedMeanwhileLeavesNoClientOpen() throws Exception {
    FakeLog log = new FakeLog("rows", ROWS);
    for (int i = 0; i < ROWS; i++) {
      log.add(0, i, 500, "{\"a\":1,\"b\":1,\"y\":1}");
    }
    CountDownLatch closed = new CountDownLatch(1);
    AtomicReference<EpochReader> reader = new AtomicReference<>();
    EpochReader.Clients clients =
        () ->
            watched(
                log.open(),
                Map.of("position", () -> reader.get().close(), "close", closed::countDown));
    reader.set(new EpochReader(settings(), clients, 1, "closed"));
    RowRanges.Range all = new RowRanges.Range(0, ROWS);
    FitTask task =
        new FitTask(
            0, 0, RowRanges.of(Map.of(0, all)), Map.of(new Cell("", "strata", 1), new byte[0]));
    Thread thread =
        new Thread(
            () -> {
              try {
                reader.get().read(task, new Nothing());
              } catch (CancellationException e) {
                Thread.currentThread().interrupt(); // as it should
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    thread.start();
    assertThat(closed.await(30, TimeUnit.SECONDS)).as("the client is closed").isTrue();
    thread.interrupt();
    thread.join();
  }

  /** A client that does something before some of its methods. */
  @SuppressWarnings("unchecked")
  private static Consumer<byte[], byte[]> watched(
      Consumer<byte[], byte[]> client, Map<String, Runnable> before) {
    return (Consumer<byte[], byte[]>)
        Proxy.newProxyInstance(
            EpochReaderTest.class.getClassLoader(),
            new Class<?>[] {Consumer.class},
            (proxy, method, arguments) -> {
              before.getOrDefault(method.getName(), () -> {}).run();
              return called(client, method, arguments);
            });
  }

  private static Object called(Object client, Method method, Object... arguments) throws Throwable {
    try {
      return method.invoke(client, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** Takes all rows. */
  private static final class Nothing implements EpochReader.Rows {
    @Override
    public void add(String group, double[] scaled) {
      assertThat(scaled).isNotEmpty();
    }

    @Override
    public void passed() {}

    @Override
    public boolean takes(String group) {
      return true;
    }
  }
}
