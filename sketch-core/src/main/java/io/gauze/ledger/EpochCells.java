package io.gauze.ledger;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.internal.Checks;
import io.gauze.internal.JsonFields;
import io.gauze.mechanism.ReleaseId;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The groups and sketches whose releases of an epoch are one entry of the ledger: a release of each
 * sketch for each group. All epochs of a stream share them, so the ledger holds them once, in front
 * of the first {@link CompleteEpoch} that names them. Immutable.
 */
public final class EpochCells implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The most releases of one entry; jobs write at most ten thousand. */
  private static final int MOST_RELEASES = 1 << 20;

  /** The end of the key. Ids of releases have four parts, so that no key is equal to an id. */
  private static final String KEY_END = "cells";

  private final List<String> groups;
  private final List<String> sketches;
  private final Map<String, Integer> groupIndex;
  private final Map<String, Integer> sketchIndex;
  private final String hash;

  private EpochCells(List<String> groups, List<String> sketches) {
    this.groups = List.copyOf(groups);
    this.sketches = List.copyOf(sketches);
    long size = (long) groups.size() * sketches.size();
    Checks.within("releases of an epoch", size, 1, MOST_RELEASES);
    this.groupIndex = index("group", this.groups);
    this.sketchIndex = index("sketch name", this.sketches);
    this.hash = LedgerEntry.sha256(names().toString().getBytes(StandardCharsets.UTF_8));
  }

  private static Map<String, Integer> index(String name, List<String> parts) {
    Map<String, Integer> index = new HashMap<>();
    for (String part : parts) {
      ReleaseId.checkPart(name, part);
      if (index.put(part, index.size()) != null) {
        throw new IllegalArgumentException(name + " must occur once. Provided value: " + part);
      }
    }
    return index;
  }

  /**
   * Creates the cells of these groups and sketches.
   *
   * @throws IllegalArgumentException if there are none or too many, if one occurs twice, or if one
   *     is not a part of a release id
   */
  public static EpochCells of(List<String> groups, List<String> sketches) {
    return new EpochCells(groups, sketches);
  }

  /** The groups, in the order of the cells. */
  public List<String> groups() {
    return groups;
  }

  /** The names of the sketches of each group. */
  public List<String> sketches() {
    return sketches;
  }

  /** The number of releases of an epoch. */
  public int size() {
    return groups.size() * sketches.size();
  }

  /** The SHA-256 of the names, 64 lower-case hexadecimal digits. */
  public String hash() {
    return hash;
  }

  /** Returns the place of a release in the order of the cells; empty if it is not one of them. */
  public OptionalInt index(String group, String sketch) {
    Integer ofGroup = groupIndex.get(group);
    Integer ofSketch = sketchIndex.get(sketch);
    return ofGroup == null || ofSketch == null
        ? OptionalInt.empty()
        : OptionalInt.of(ofGroup * sketches.size() + ofSketch);
  }

  /** Returns the id of the release at a place in [0, {@link #size}). */
  public ReleaseId id(String stream, String epoch, int index) {
    return new ReleaseId(
        stream, groups.get(index / sketches.size()), epoch, sketches.get(index % sketches.size()));
  }

  /** The key of the record of a stream. */
  public String key(String stream) {
    return key(stream, hash);
  }

  static String key(String stream, String hash) {
    return String.join("/", stream, hash, KEY_END);
  }

  /** Returns whether a release may be one of both. */
  boolean overlap(EpochCells other) {
    return groups.stream().anyMatch(other.groupIndex::containsKey)
        && sketches.stream().anyMatch(other.sketchIndex::containsKey);
  }

  /** Returns whether a record with this key holds cells. */
  static boolean isKey(List<String> parts) {
    return parts.size() == 3 && parts.get(2).equals(KEY_END);
  }

  /** Returns one line of JSON with the keys stream, groups and sketches. */
  public String toJson(String stream) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("stream", stream);
    node.setAll(names());
    return node.toString();
  }

  private ObjectNode names() {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    groups.forEach(node.putArray("groups")::add);
    sketches.forEach(node.putArray("sketches")::add);
    return node;
  }

  /**
   * Parses the text that {@link #toJson} returns.
   *
   * @param key of the record
   * @throws IllegalArgumentException if it is not JSON, if a key is missing or out of range, or if
   *     it is not what the key says
   */
  static EpochCells fromJson(String key, String json) {
    try {
      JsonNode node = JSON.readTree(json);
      EpochCells cells = of(texts(node, "groups"), texts(node, "sketches"));
      if (!key.equals(cells.key(JsonFields.text(node.path("stream"), "stream")))) {
        throw new IllegalArgumentException("the cells must be those that the key names");
      }
      return cells;
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "the cells of a stream must be JSON. Provided value: " + e.getOriginalMessage(), e);
    }
  }

  private static List<String> texts(JsonNode node, String name) {
    List<String> texts = new ArrayList<>();
    JsonFields.array(node, name).forEach(each -> texts.add(JsonFields.text(each, name)));
    return texts;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof EpochCells cells && hash.equals(cells.hash);
  }

  @Override
  public int hashCode() {
    return hash.hashCode();
  }

  /** Returns the numbers of groups and sketches. */
  @Override
  public String toString() {
    return groups.size() + " groups x " + sketches.size() + " sketches";
  }
}
