package io.gauze.testing;

import io.gauze.local.EmbeddedBroker;
import io.gauze.local.JobHandle;
import io.gauze.local.LocalCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.flink.runtime.checkpoint.CheckpointException;
import org.apache.flink.util.ExceptionUtils;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One broker and one Flink cluster for all the integration tests of a JVM, each started when a test
 * first asks for it and closed after the last test. Annotate a test class with
 * {@code @ExtendWith(SharedCluster.class)}.
 *
 * <p>A test must not close them, nor end a task manager of the shared cluster, and makes its own
 * topics with {@link TestTopics}.
 */
public final class SharedCluster implements BeforeAllCallback {
  /** The slots of the shared cluster: enough for a few jobs at a time. */
  public static final int SLOTS = 8;

  private static final Instances INSTANCES = new Instances();

  /** The shared broker. */
  public static EmbeddedBroker broker() {
    return INSTANCES.broker();
  }

  /** The shared cluster, one task manager with {@link #SLOTS} slots. */
  public static LocalCluster cluster() {
    return INSTANCES.cluster();
  }

  /** Makes a checkpoint of a job as soon as all of its tasks run. */
  public static void checkpoint(JobHandle job) {
    ProcessCluster.await(
        "a checkpoint",
        () -> job.triggerCheckpoint().handle((path, failure) -> failure == null).join());
  }

  /**
   * Stops a job with a savepoint as soon as Flink takes one: not while some tasks are starting or
   * ending, though others have read rows.
   *
   * @return the savepoint's path
   */
  public static String stopWithSavepoint(JobHandle job) {
    AtomicReference<String> savepoint = new AtomicReference<>();
    ProcessCluster.await(
        "a savepoint",
        () -> {
          try {
            savepoint.set(job.stopWithSavepoint().join());
          } catch (CompletionException e) {
            if (!isDeclined(e)) {
              throw e;
            }
          }
          return savepoint.get() != null;
        });
    return savepoint.get();
  }

  private static boolean isDeclined(Throwable failure) {
    return ExceptionUtils.findThrowableSerializedAware(
            failure, CheckpointException.class, SharedCluster.class.getClassLoader())
        .isPresent();
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    // JUnit closes what is in the root store when all tests are done.
    context
        .getRoot()
        .getStore(ExtensionContext.Namespace.create(SharedCluster.class))
        .getOrComputeIfAbsent("instances", key -> INSTANCES);
  }

  private static final class Instances implements AutoCloseable {
    private EmbeddedBroker broker;
    private LocalCluster cluster;

    synchronized EmbeddedBroker broker() {
      if (broker == null) {
        try {
          broker = EmbeddedBroker.start();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
      return broker;
    }

    synchronized LocalCluster cluster() {
      if (cluster == null) {
        try {
          cluster = LocalCluster.start(SLOTS);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
      return cluster;
    }

    @Override
    public synchronized void close() throws IOException {
      if (cluster != null) {
        cluster.close();
        cluster = null;
      }
      if (broker != null) {
        broker.close();
        broker = null;
      }
    }
  }
}
