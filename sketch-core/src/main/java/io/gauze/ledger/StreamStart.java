package io.gauze.ledger;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.internal.JsonFields;
import io.gauze.mechanism.ReleaseId;
import java.util.List;

/**
 * A record of the ledger that does not belong to a release: the first epoch of a stream. The
 * stream's first start writes it, so that a later start without state knows which epochs the stream
 * must release, even before any release is published. It spends nothing.
 *
 * @param stream the stream's name
 * @param epoch the first epoch, by its label
 * @param series the fingerprint of the config; a record of another config is ignored
 */
public record StreamStart(String stream, String epoch, String series) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The end of the key. Ids of releases have four parts, so that no key is equal to an id. */
  private static final String KEY_END = "/begin";

  /**
   * Checks the parts.
   *
   * @throws IllegalArgumentException if the stream or the epoch is not a part of a release id, or
   *     the series is not a hash
   */
  public StreamStart {
    ReleaseId.checkPart("stream name", stream);
    ReleaseId.checkPart("epoch", epoch);
    LedgerEntry.checkHash("series", series);
  }

  /** The key of the record. */
  public String key() {
    return stream + KEY_END;
  }

  /**
   * Checks whether a record with this key is the begin of a stream and not an entry of a release.
   */
  public static boolean isKey(String key) {
    return List.of(key.split("/", -1)).size() == 2 && key.endsWith(KEY_END);
  }

  /** Returns one line of JSON with the keys stream, firstEpoch and series. */
  public String toJson() {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("stream", stream);
    node.put("firstEpoch", epoch);
    node.put("series", series);
    return node.toString();
  }

  /**
   * Parses the text that {@link #toJson} returns.
   *
   * @throws IllegalArgumentException if it is not JSON, or a key is missing or out of range
   */
  public static StreamStart fromJson(String json) {
    try {
      JsonNode node = JSON.readTree(json);
      return new StreamStart(
          JsonFields.text(node.path("stream"), "stream"),
          JsonFields.text(node.path("firstEpoch"), "firstEpoch"),
          JsonFields.text(node.path("series"), "series"));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "the begin of a stream must be JSON. Provided value: " + e.getOriginalMessage(), e);
    }
  }
}
