package io.gauze.ledger;

import io.gauze.accounting.Guarantee;
import io.gauze.mechanism.ReleaseId;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * An epoch whose releases are all published, as a reader of the ledger keeps it: without what is
 * known of their bodies, so that it takes the same memory however many they are. Immutable.
 *
 * @param stream the name of the stream
 * @param epoch the label of the epoch
 * @param cells the groups and sketches
 * @param series the fingerprint of the config
 * @param charges the charges, at least one; those of a series differ only if its total budget was
 *     changed
 */
public record CompleteEpoch(
    String stream, String epoch, EpochCells cells, String series, List<Charge> charges) {
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

  /**
   * What some of the releases were charged with.
   *
   * @param guarantee their guarantee
   * @param terms the account and the costs
   * @param releases how many they are, at least 1
   */
  public record Charge(Guarantee guarantee, LedgerTerms terms, int releases) {
    public Charge {
      Objects.requireNonNull(guarantee, "guarantee");
      Objects.requireNonNull(terms, "terms");
      if (releases < 1) {
        throw new IllegalArgumentException("releases must be >= 1. Provided value: " + releases);
      }
    }
  }

  /**
   * Checks the parts.
   *
   * @throws IllegalArgumentException if the stream or the epoch is not a part of a release id, the
   *     series is not a hash, or the charges are not of all releases, one account and one unit
   */
  public CompleteEpoch {
    charges = List.copyOf(charges);
    ReleaseId.checkPart("stream name", stream);
    ReleaseId.checkPart("epoch", epoch);
    LedgerEntry.checkHash("series", series);
    long releases = charges.stream().mapToLong(Charge::releases).sum();
    if (releases != cells.size()) {
      throw new IllegalArgumentException(
          "charges must be of " + cells.size() + " releases. Provided value: " + releases);
    }
    if (charges.stream().map(each -> each.terms().account()).distinct().count() > 1
        || charges.stream().map(each -> each.guarantee().unit()).distinct().count() > 1) {
      throw new IllegalArgumentException("charges must be of one account and unit");
    }
  }

  /** Returns whether a release is one of the epoch's. */
  public boolean covers(ReleaseId id) {
    return id.stream().equals(stream)
        && id.epoch().equals(epoch)
        && cells.index(id.group(), id.sketch()).isPresent();
  }

  /** Returns the first release with its charge, as an example. */
  ChargedRelease first() {
    Charge charge = charges.get(0);
    return new ChargedRelease(
        cells.id(stream, epoch, 0), series, charge.guarantee(), charge.terms());
  }

  /** The key of the record. */
  public String key() {
    return String.join("/", stream, epoch, cells.hash());
  }

  /** Returns whether a record with this key is a complete epoch. */
  static boolean isKey(List<String> parts) {
    return parts.size() == 3 && HASH.matcher(parts.get(2)).matches();
  }

  @Override
  public String toString() {
    return key();
  }
}
