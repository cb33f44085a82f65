package io.gauze.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParseException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.concurrent.CompletionException;
import org.apache.flink.runtime.client.JobExecutionException;
import org.apache.flink.util.ExceptionUtils;
import org.apache.flink.util.SerializedThrowable;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

final class CausesTest {
  @Test
  void theLastCauseSaysWhy() {
    Exception packed =
        new JobExecutionException(
            null,
            "Job execution failed.",
            new SerializedThrowable(
                new CompletionException(new FileNotFoundException("no savepoint at /no/such"))));

    assertThat(Causes.last(packed)).isEqualTo("no savepoint at /no/such");
    assertThat(Causes.last(new IOException())).isEqualTo("IOException");
  }

  @Test
  void theChainIsOneLineWithoutWrapping() {
    Exception timeout = new TimeoutException("no answer\n  in 60 s");
    Exception told = new IllegalStateException("the ledger could not be read", timeout);
    Exception wrapped = new JobExecutionException(null, "Job failed.", new RuntimeException(told));

    assertThat(Causes.chain(new SerializedThrowable(wrapped)))
        .isEqualTo("the ledger could not be read: no answer in 60 s");
    assertThat(Causes.chain(new OutOfMemoryError("Java heap space")))
        .isEqualTo("OutOfMemoryError: Java heap space");
  }

  /** Flink's web address gives no more than that of a failure. */
  @Test
  void theLastCauseIsFoundInAPrintedStackTrace() {
    Exception told = new IOException("no\n  answer", new TimeoutException("none in 60 s\nat all"));
    told.addSuppressed(new IOException("closed", new IOException("twice")));
    assertThat(printed(new RuntimeException(told))).isEqualTo("none in 60 s");
    assertThat(printed(new IOException())).isEqualTo("IOException");
    assertThat(printed(new IOException("no: such"))).isEqualTo("no: such");
    assertThat(printed(new RuntimeException(new OutOfMemoryError("Java heap space"))))
        .isEqualTo("OutOfMemoryError: Java heap space");
    assertThat(printed(new IOException("row", new NumberFormatException("4711"))))
        .isEqualTo("NumberFormatException");
    assertThat(printed(new JsonParseException(null, "token '4711'")))
        .isEqualTo("JsonParseException");
  }

  private static String printed(Throwable failure) {
    return Causes.lastOf(ExceptionUtils.stringifyException(failure));
  }

  /** Their messages hold what was parsed, which might be a row. */
  @Test
  void whatMayQuoteARowIsNotTold() {
    Exception number = new IllegalStateException("the row", new NumberFormatException("\"4711\""));
    Exception json = new JsonParseException(null, "token '4711'");

    assertThat(Causes.chain(number)).isEqualTo("the row: NumberFormatException");
    assertThat(Causes.chain(new RuntimeException(json))).isEqualTo("JsonParseException");
    assertThat(Causes.last(json)).isEqualTo("JsonParseException");
  }
}
