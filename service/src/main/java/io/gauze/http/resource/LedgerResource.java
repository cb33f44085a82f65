package io.gauze.http.resource;

import io.gauze.answer.LedgerFeed;
import io.gauze.answer.ReleaseHash;
import io.gauze.http.protocol.Call;
import io.gauze.http.protocol.FitExecutor;
import io.gauze.http.protocol.Problem;
import io.gauze.http.protocol.Reply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What was spent and what is left: {@code /v1/ledger}. Off unless the owner turns it on. */
final class LedgerResource {
  private static final Logger LOG = LoggerFactory.getLogger(LedgerResource.class);

  private final Optional<LedgerFeed> ledger;
  private final FitExecutor reads;

  LedgerResource(Optional<LedgerFeed> ledger, FitExecutor reads) {
    this.reads = reads;
    this.ledger = ledger;
  }

  Resource resource() {
    return new Resource("/v1/ledger", Resource.GET, List.of(), Resource.later(reads, this::answer));
  }

  private Reply answer(Call call) throws Problem {
    if (ledger.isEmpty()) {
      throw new Problem(
          404,
          "not-found",
          "this service does not tell what was spent; to turn it on, start it with gauze serve"
              + " --config FILE --ledger");
    }
    byte[] body;
    try {
      body = ledger.get().read().json().getBytes(StandardCharsets.UTF_8);
    } catch (IOException e) {
      LOG.warn("The ledger cannot be read: {}", e.getMessage());
      throw new Problem(
          503,
          "busy",
          "the ledger cannot be read now, and the log says why; ask again later",
          Map.of("Retry-After", "5"));
    }
    String tag = '"' + ReleaseHash.of(body) + '"';
    Reply reply = call.has(tag) ? Reply.notModified() : Reply.of(200, Reply.JSON, body);
    return reply.with("ETag", tag).with("Cache-Control", "no-cache");
  }
}
