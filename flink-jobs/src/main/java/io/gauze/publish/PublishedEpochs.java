package io.gauze.publish;

import io.gauze.ledger.LedgerEntry;
import io.gauze.stream.SketchJobSettings;
import java.io.IOException;
import java.io.Serializable;
import java.util.Set;
import java.util.stream.Collectors;

/** Looks up which releases are published, so that no further row can be in them. */
@FunctionalInterface
public interface PublishedEpochs extends Serializable {
  /** Looks them up in the ledger. */
  PublishedEpochs OF_LEDGER =
      settings ->
          Ledger.read(settings.kafka(), settings.topics().ledger())
              .entries(settings.plan().stream())
              .stream()
              .map(LedgerEntry::id)
              .map(Object::toString)
              .collect(Collectors.toSet());

  /** Returns the ids of all releases of the stream so far. */
  Set<String> ids(SketchJobSettings settings) throws IOException;
}
