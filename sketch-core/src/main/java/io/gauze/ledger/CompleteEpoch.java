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
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The ledger's record of an epoch whose releases are all published. It stands for their entries,
 * which are deleted: it has the same charges, and of each body the first {@value #MARK} bytes of
 * its SHA-256. Another body than the published one has the same bytes with a chance of 2^-64.
 * Immutable.
 */
public final class CompleteEpoch {
  /** The number of bytes by which a body is known. */
  public static final int MARK = Long.BYTES;

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");
  private static final int RADIX = 16;

  private final String stream;
  private final String epoch;
  private final EpochCells cells;
  private final String series;
  private final List<Charge> charges;
  private final byte[] bodies; // a mark for each cell, in their order

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

  private CompleteEpoch(
      String stream,
      String epoch,
      EpochCells cells,
      String series,
      List<Charge> charges,
      byte[] bodies) {
    this.stream = stream;
    this.epoch = epoch;
    this.cells = cells;
    this.series = series;
    this.charges = List.copyOf(charges);
    this.bodies = bodies;
    ReleaseId.checkPart("stream name", stream);
    ReleaseId.checkPart("epoch", epoch);
    LedgerEntry.checkHash("series", series);
    if (bodies.length != MARK * cells.size()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "bodies must have %d bytes. Provided value: %d",
              MARK * cells.size(),
              bodies.length));
    }
    checkCharges();
  }

  private void checkCharges() {
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

  /**
   * Returns what stands for these entries.
   *
   * @param entries of all cells of one epoch, in their order
   * @throws IllegalArgumentException if one is not published, or not of the cell of its place, or
   *     if they are of several series, accounts or units
   */
  public static CompleteEpoch of(EpochCells cells, List<LedgerEntry> entries) {
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
    List<Charge> charges = new ArrayList<>();
    counts.forEach(
        (charged, releases) ->
            charges.add(
                new Charge((Guarantee) charged.get(0), (LedgerTerms) charged.get(1), releases)));
    return new CompleteEpoch(
        first.id().stream(), first.id().epoch(), cells, first.series(), charges, bodies.array());
  }

  private static long mark(String sha256) {
    return Long.parseUnsignedLong(sha256.substring(0, 2 * MARK), RADIX);
  }

  /** Returns an equal epoch with these charges, which are equal to its own. */
  CompleteEpoch with(List<Charge> shared) {
    return new CompleteEpoch(stream, epoch, cells, series, shared, bodies);
  }

  /** The name of the stream. */
  public String stream() {
    return stream;
  }

  /** The label of the epoch. */
  public String epoch() {
    return epoch;
  }

  /** The groups and sketches. */
  public EpochCells cells() {
    return cells;
  }

  /** The fingerprint of the config. */
  public String series() {
    return series;
  }

  /** The charges; those of a series differ only if its total budget was changed. */
  public List<Charge> charges() {
    return charges;
  }

  /** Returns whether a release is one of the epoch's. */
  public boolean covers(ReleaseId id) {
    return id.stream().equals(stream)
        && id.epoch().equals(epoch)
        && cells.index(id.group(), id.sketch()).isPresent();
  }

  /**
   * Returns whether a release was published with this body.
   *
   * @param sha256 of the body
   * @throws java.util.NoSuchElementException if the release is not one of the epoch's
   */
  public boolean holds(ReleaseId id, String sha256) {
    int index = cells.index(id.group(), id.sketch()).orElseThrow();
    return ByteBuffer.wrap(bodies).getLong(MARK * index) == mark(sha256);
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

  /**
   * Returns one line of JSON with the keys stream, epoch, cells, series, bodies and charges. Each
   * charge has the keys releases, guarantee, account, costs, distance and totalBudget, and whose if
   * the unit is a user or key.
   */
  public String toJson() {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("stream", stream);
    node.put("epoch", epoch);
    node.put("cells", cells.hash());
    node.put("series", series);
    node.put("bodies", Base64.getEncoder().encodeToString(bodies));
    ArrayNode list = node.putArray("charges");
    for (Charge charge : charges) {
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
  static CompleteEpoch fromJson(String key, String json, Function<String, EpochCells> cells) {
    try {
      JsonNode node = JSON.readTree(json);
      List<Charge> charges = new ArrayList<>();
      for (JsonNode each : JsonFields.array(node, "charges")) {
        Guarantee guarantee = GuaranteeJson.read(each.path("guarantee"));
        charges.add(
            new Charge(
                guarantee,
                LedgerTerms.read(each, guarantee.neighbours()),
                JsonFields.whole(each, "releases")));
      }
      CompleteEpoch complete =
          new CompleteEpoch(
              JsonFields.text(node.path("stream"), "stream"),
              JsonFields.text(node.path("epoch"), "epoch"),
              cells.apply(JsonFields.text(node.path("cells"), "cells")),
              JsonFields.text(node.path("series"), "series"),
              charges,
              Base64.getDecoder().decode(JsonFields.text(node.path("bodies"), "bodies")));
      if (!key.equals(complete.key())) {
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
    return key();
  }
}
