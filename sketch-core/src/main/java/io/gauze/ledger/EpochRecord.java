package io.gauze.ledger;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.accounting.Guarantee;
import io.gauze.internal.JsonFields;
import io.gauze.mechanism.ReleaseId;
import io.gauze.release.GuaranteeJson;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * The ledger's record of a {@link CompleteEpoch}. It stands for the entries of its releases, which
 * are deleted: it has the same charges, and of each body the first {@value #MARK} bytes of its
 * SHA-256. Another body than the published one has the same bytes with a chance of 2^-64. Readers
 * keep the epoch, and read the record again when they need the bodies. Immutable.
 */
public final class EpochRecord {
  /** The number of bytes by which a body is known. */
  public static final int MARK = Long.BYTES;

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int RADIX = 16;

  private final CompleteEpoch epoch;
  private final byte[] bodies; // a mark for each cell, in their order

  private EpochRecord(CompleteEpoch epoch, byte[] bodies) {
    this.epoch = epoch;
    this.bodies = bodies;
    int bytes = MARK * epoch.cells().size();
    if (bodies.length != bytes) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "bodies must have %d bytes. Provided value: %d", bytes, bodies.length));
    }
  }

  /**
   * Returns what stands for these entries.
   *
   * @param entries of all cells of one epoch, in their order
   * @throws IllegalArgumentException if one is not published, or not of the cell of its place, or
   *     if they are of several series, accounts or units
   */
  public static EpochRecord of(EpochCells cells, List<LedgerEntry> entries) {
    if (entries.size() != cells.size()) {
      throw new IllegalArgumentException(
          "entries must be of " + cells.size() + " releases. Provided value: " + entries.size());
    }
    Map<List<Object>, Integer> counts = new LinkedHashMap<>();
    ByteBuffer bodies = ByteBuffer.allocate(MARK * cells.size());
    LedgerEntry first = entries.get(0);
    for (int i = 0; i < entries.size(); i++) {
      LedgerEntry entry = entries.get(i);
      ReleaseId id = cells.id(first.id().stream(), first.id().epoch(), i);
      if (entry.state() != LedgerEntry.State.PUBLISHED
          || !entry.id().equals(id)
          || !entry.series().equals(first.series())) {
        throw new IllegalArgumentException(
            "entry must be of the series and published, and of "
                + id
                + ". Provided value: "
                + entry.id());
      }
      counts.merge(List.of(entry.guarantee(), entry.terms()), 1, Integer::sum);
      bodies.putLong(mark(entry.sha256()));
    }
    List<CompleteEpoch.Charge> charges = new ArrayList<>();
    counts.forEach(
        (charged, releases) ->
            charges.add(
                new CompleteEpoch.Charge(
                    (Guarantee) charged.get(0), (LedgerTerms) charged.get(1), releases)));
    return new EpochRecord(
        new CompleteEpoch(first.id().stream(), first.id().epoch(), cells, first.series(), charges),
        bodies.array());
  }

  private static long mark(String sha256) {
    return Long.parseUnsignedLong(sha256.substring(0, 2 * MARK), RADIX);
  }

  /** The epoch. */
  public CompleteEpoch epoch() {
    return epoch;
  }

  /** Returns this record with an equal epoch, so that readers have each epoch once. */
  EpochRecord with(CompleteEpoch same) {
    return new EpochRecord(same, bodies);
  }

  /** The bytes of what is known of the bodies. */
  public int bytes() {
    return bodies.length;
  }

  /** The first {@value #MARK} bytes of the record's own SHA-256. */
  long mark() {
    return mark(LedgerEntry.sha256(toJson().getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * Returns whether a release was published with this body.
   *
   * @param sha256 of the body
   * @throws java.util.NoSuchElementException if the release is not one of the epoch's
   */
  public boolean holds(ReleaseId id, String sha256) {
    int index = epoch.cells().index(id.group(), id.sketch()).orElseThrow();
    return ByteBuffer.wrap(bodies).getLong(MARK * index) == mark(sha256);
  }

  /**
   * Returns one line of JSON with the keys stream, epoch, cells, series, bodies and charges. Each
   * charge has the keys releases, guarantee, account, costs, distance and totalBudget, and whose if
   * the unit is a user or key.
   */
  public String toJson() {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("stream", epoch.stream());
    node.put("epoch", epoch.epoch());
    node.put("cells", epoch.cells().hash());
    node.put("series", epoch.series());
    node.put("bodies", Base64.getEncoder().encodeToString(bodies));
    ArrayNode list = node.putArray("charges");
    for (CompleteEpoch.Charge charge : epoch.charges()) {
      ObjectNode each = list.addObject();
      each.put("releases", charge.releases());
      each.set("guarantee", GuaranteeJson.write(charge.guarantee()));
      charge.terms().write(each);
    }
    return node.toString();
  }

  /**
   * Parses the text that {@link #toJson} returns.
   *
   * @param key of the record
   * @param cells finds cells of the stream by their hash, and throws IllegalArgumentException if
   *     there are none
   * @throws IllegalArgumentException if it is not JSON, if a key is missing or out of range, or if
   *     it is not what the key says
   */
  static EpochRecord fromJson(String key, String json, Function<String, EpochCells> cells) {
    try {
      JsonNode node = JSON.readTree(json);
      List<CompleteEpoch.Charge> charges = new ArrayList<>();
      for (JsonNode each : JsonFields.array(node, "charges")) {
        Guarantee guarantee = GuaranteeJson.read(each.path("guarantee"));
        charges.add(
            new CompleteEpoch.Charge(
                guarantee,
                LedgerTerms.read(each, guarantee.neighbours()),
                JsonFields.whole(each, "releases")));
      }
      CompleteEpoch epoch =
          new CompleteEpoch(
              JsonFields.text(node.path("stream"), "stream"),
              JsonFields.text(node.path("epoch"), "epoch"),
              cells.apply(JsonFields.text(node.path("cells"), "cells")),
              JsonFields.text(node.path("series"), "series"),
              charges);
      EpochRecord complete =
          new EpochRecord(
              epoch, Base64.getDecoder().decode(JsonFields.text(node.path("bodies"), "bodies")));
      if (!key.equals(epoch.key())) {
        throw new IllegalArgumentException("the epoch must be the one that the key names");
      }
      return complete;
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "a complete epoch must be JSON. Provided value: " + e.getOriginalMessage(), e);
    }
  }

  @Override
  public String toString() {
    return epoch.key();
  }
}
