package io.gauze.answer;

import io.gauze.report.Report;
import java.io.IOException;

/** What was spent on rows, of a stream's ledger: budgets and public names only. Thread-safe. */
public interface LedgerFeed extends AutoCloseable {
  /**
   * Returns what {@code gauze ledger} prints, at most a second old.
   *
   * @throws IOException if the ledger cannot be read now; the message says why
   */
  Report read() throws IOException;

  @Override
  void close();
}
