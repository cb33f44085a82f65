package io.gauze.publish;

import io.gauze.ledger.LedgerEntry;
import io.gauze.stream.SketchJobSettings;
import java.io.IOException;
import java.io.Serializable;
import java.util.Set;
import java.util.stream.Collectors;

/** Knows which releases are out, so that no further row can come into them. */
@FunctionalInterface
public interface PublishedEpochs extends Serializable {
  /** What the ledger holds. */
  PublishedEpochs OF_LEDGER =
      settings ->
          Ledger.read(settings.kafka(), settings.topics().ledger())
              .entries(settings.plan().stream())
              .stream()
              .map(LedgerEntry::id)
              .map(Object::toString)
              .collect(Collectors.toSet());

  /** The ids of all releases of the stream so far. */
  Set<String> ids(SketchJobSettings settings) throws IOException;
}
