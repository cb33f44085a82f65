package io.gauze.summary;

import io.gauze.message.Message;
import io.gauze.report.Messages;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Reports progress on standard error; in a terminal a count is updated in place. */
public final class Progress {
  /**
   * The system property that the launcher sets if standard error is a terminal, which Java cannot
   * tell.
   */
  private static final String TERMINAL = "gauze.terminal";

  private final PrintWriter err;
  private final boolean terminal = Boolean.getBoolean(TERMINAL);
  private final long start = System.nanoTime();
  private boolean lineOpen;

  public Progress(PrintWriter err) {
    this.err = err;
  }

  /** Reports that a new stage begins. */
  public void stage(String what) {
    endLine();
    err.printf(Locale.ROOT, "[%5.1f s] %s%n", seconds(), what);
    err.flush();
  }

  /** Reports messages that do not stop the command. */
  public void warn(String prefix, List<Message> messages) {
    Messages.all("warning: " + prefix, messages).forEach(this::stage);
  }

  /** Reports how far the stage is; shown in terminals only. */
  public void count(String what, long done) {
    if (terminal) {
      err.printf(Locale.ROOT, "\r[%5.1f s] %s %,d", seconds(), what, done);
      err.flush();
      lineOpen = true;
    }
  }

  /** Seconds since the command began. */
  double seconds() {
    return (System.nanoTime() - start) / 1e9;
  }

  private void endLine() {
    if (lineOpen) {
      err.println();
      lineOpen = false;
    }
  }
}
