package io.gauze.publish;

import io.gauze.ledger.HeldReleases;
import io.gauze.stream.SketchJobSettings;
import java.io.IOException;
import java.io.Serializable;

/** Looks up which releases are published, so that no further row can be in them. */
@FunctionalInterface
public interface PublishedEpochs extends Serializable {
  /** Looks them up in the ledger. */
  PublishedEpochs OF_LEDGER =
      settings ->
          Ledger.read(settings.kafka(), settings.topics().ledger())
              .held(settings.plan().stream(), entry -> true);

  /** Returns the ids of all releases of the stream so far. */
  HeldReleases ids(SketchJobSettings settings) throws IOException;
}
