package io.gauze.http.resource;

import io.gauze.answer.LedgerFeed;
import io.gauze.report.AdvisedStream;
import java.util.Optional;

/**
 * What the service tells beside releases.
 *
 * @param ledger what was spent; closed with the service; empty: the service does not tell
 * @param stream the stream that advice is about; empty: that of a release
 */
public record ServiceExtras(Optional<LedgerFeed> ledger, Optional<AdvisedStream> stream) {
  /** A service of releases alone. */
  public static final ServiceExtras NONE = new ServiceExtras(Optional.empty(), Optional.empty());
}
