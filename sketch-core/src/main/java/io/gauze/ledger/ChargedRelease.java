package io.gauze.ledger;

import io.gauze.accounting.Guarantee;
import io.gauze.mechanism.ReleaseId;
import java.util.Objects;

/**
 * A release with what it was charged with.
 *
 * @param id the id of the release
 * @param series the fingerprint of its config
 * @param guarantee its guarantee
 * @param terms the account and the costs
 */
public record ChargedRelease(ReleaseId id, String series, Guarantee guarantee, LedgerTerms terms) {
  public ChargedRelease {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(series, "series");
    Objects.requireNonNull(guarantee, "guarantee");
    Objects.requireNonNull(terms, "terms");
  }

  static ChargedRelease of(LedgerEntry entry) {
    return new ChargedRelease(entry.id(), entry.series(), entry.guarantee(), entry.terms());
  }
}
