package io.gauze.topic;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.RecordBatch;
import org.apache.kafka.common.utils.ByteBufferOutputStream;

/**
 * The native library of zstd, in which releases and the ledger are compressed. It is unpacked into
 * Java's folder of temporary files, which may forbid that.
 */
final class NativeCodecs {
  private static final Set<String> NATIVE = Set.of("zstd", "snappy");
  private static final int BUFFER_BYTES = 512;

  /** Why the library cannot be loaded: a second attempt in the same process would not say it. */
  private static final Optional<IOException> PROBLEM = load();

  private NativeCodecs() {}

  /** Returns whether records of this {@code compression.type} need a native library. */
  static boolean isNative(String compression) {
    return NATIVE.contains(compression);
  }

  /**
   * Returns if zstd can be used in this process. The first call loads the library.
   *
   * @throws UncheckedIOException if it cannot; the message names the folder and the way out
   */
  static void require() {
    PROBLEM.ifPresent(
        problem -> {
          throw new UncheckedIOException(problem);
        });
  }

  private static Optional<IOException> load() {
    try {
      Compression.zstd()
          .build()
          .wrapForOutput(new ByteBufferOutputStream(BUFFER_BYTES), RecordBatch.CURRENT_MAGIC_VALUE)
          .close();
      return Optional.empty();
    } catch (IOException | RuntimeException | LinkageError e) {
      return Optional.of(new IOException(message(e), e));
    }
  }

  private static String message(Throwable problem) {
    Throwable cause = problem;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    String reason = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
    boolean noexec =
        reason.contains("failed to map segment") || reason.contains("Operation not permitted");
    return "zstd's native library cannot be loaded from the folder of temporary files, "
        + System.getProperty("java.io.tmpdir")
        + (noexec ? ", which is mounted noexec" : " (" + reason + ")")
        + ". Give Java a folder that is writable and not noexec:"
        + " JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=DIR, on Flink env.java.opts.all";
  }
}
