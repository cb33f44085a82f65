package io.gauze.ledger;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.accounting.Guarantee;
import io.gauze.internal.Fingerprint;
import io.gauze.internal.JsonFields;
import io.gauze.mechanism.ReleaseId;
import io.gauze.release.GuaranteeJson;
import io.gauze.release.Release;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The ledger's record of a release: its budget is spent, on this body, and the body is or is not
 * known to be published. An id never has two different bodies.
 *
 * @param id the id of the release
 * @param sha256 of the release's bytes, 64 lower-case hexadecimal digits
 * @param state the state of its publication
 * @param series the fingerprint of the config, 64 lower-case hexadecimal digits. A stream name has
 *     one series, since two series over the same rows would spend the budget twice
 * @param guarantee the guarantee of the release, whose budget is spent
 * @param terms the account that is charged, and the costs
 */
public record LedgerEntry(
    ReleaseId id,
    String sha256,
    State state,
    String series,
    Guarantee guarantee,
    LedgerTerms terms) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

  /** The state of the publication of a release. */
  public enum State {
    /** The budget is spent; the release may or may not be published. */
    SPENT,
    /** The release is published. */
    PUBLISHED;

    /** The name in JSON: {@code spent} or {@code published}. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the state with this label.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static State parse(String label) {
      for (State state : values()) {
        if (state.label().equals(label)) {
          return state;
        }
      }
      throw new IllegalArgumentException(
          "state must be spent or published. Provided value: " + label);
    }
  }

  /**
   * Checks the hashes.
   *
   * @throws IllegalArgumentException if one is not 64 lower-case hexadecimal digits
   */
  public LedgerEntry {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(guarantee, "guarantee");
    Objects.requireNonNull(terms, "terms");
    checkHash("sha256", sha256);
    checkHash("series", series);
  }

  static void checkHash(String name, String value) {
    if (!HASH.matcher(value).matches()) {
      throw new IllegalArgumentException(
          name + " must be 64 lower-case hexadecimal digits. Provided value: " + value);
    }
  }

  /** Returns the entry of a release with these bytes. */
  public static LedgerEntry of(
      Release release, byte[] bytes, State state, String series, LedgerTerms terms) {
    return new LedgerEntry(release.id(), sha256(bytes), state, series, release.guarantee(), terms);
  }

  /** Returns this entry in another state. */
  public LedgerEntry withState(State newState) {
    return new LedgerEntry(id, sha256, newState, series, guarantee, terms);
  }

  /** Returns the SHA-256 in 64 lower-case hexadecimal digits. */
  public static String sha256(byte[] bytes) {
    return HexFormat.of().formatHex(Fingerprint.sha256(bytes));
  }

  /**
   * Returns one line of JSON with the keys id, sha256, state, series, guarantee, account, costs,
   * distance and totalBudget, and with the key whose if the unit is a user or key.
   */
  public String toJson() {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("id", id.toString());
    node.put("sha256", sha256);
    node.put("state", state.label());
    node.put("series", series);
    node.set("guarantee", GuaranteeJson.write(guarantee));
    terms.write(node);
    return node.toString();
  }

  /**
   * Parses the text that {@link #toJson} returns.
   *
   * @throws IllegalArgumentException if it is not JSON, or a key is missing or out of range
   */
  public static LedgerEntry fromJson(String json) {
    try {
      JsonNode node = JSON.readTree(json);
      ReleaseId id = ReleaseId.parse(JsonFields.text(node.path("id"), "id"));
      Guarantee guarantee = GuaranteeJson.read(node.path("guarantee"));
      return new LedgerEntry(
          id,
          JsonFields.text(node.path("sha256"), "sha256"),
          State.parse(JsonFields.text(node.path("state"), "state")),
          JsonFields.text(node.path("series"), "series"),
          guarantee,
          LedgerTerms.read(node, guarantee.neighbours()));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "ledger entry must be JSON. Provided value: " + e.getOriginalMessage(), e);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("ledger entry: " + e.getMessage(), e);
    }
  }
}
