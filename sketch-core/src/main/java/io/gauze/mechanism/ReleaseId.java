package io.gauze.mechanism;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * The permanent name of a release: an id never names two different releases.
 *
 * <p>Each part has 1 to 255 bytes in UTF-8, no slash, no control character, and no blank at its
 * ends.
 *
 * @param stream the stream's name
 * @param group a public group of rows, {@link #ALL} if the stream has none
 * @param epoch the label of the epoch, {@link #ALL} if there is only one
 * @param sketch the sketch's name
 */
public record ReleaseId(String stream, String group, String epoch, String sketch)
    implements Serializable {
  /** The group of a stream without groups, and the epoch of one without epochs. */
  public static final String ALL = "all";

  public static final int LONGEST_PART = 255;

  /**
   * Checks the parts.
   *
   * @throws IllegalArgumentException if one is empty, too long or contains a forbidden character
   */
  public ReleaseId {
    checkPart("stream name", stream);
    checkPart("group", group);
    checkPart("epoch", epoch);
    checkPart("sketch name", sketch);
  }

  /**
   * Parses the text that {@link #toString} returns.
   *
   * @throws IllegalArgumentException if the text does not have four parts, or one is not allowed
   */
  public static ReleaseId parse(String text) {
    List<String> parts = List.of(text.split("/", -1));
    if (parts.size() != 4) {
      throw new IllegalArgumentException(
          "release id must be stream/group/epoch/sketch. Provided value: " + text);
    }
    return new ReleaseId(parts.get(0), parts.get(1), parts.get(2), parts.get(3));
  }

  /**
   * Checks one part, so that names from a config can be refused early.
   *
   * @throws IllegalArgumentException if it is not allowed
   */
  public static void checkPart(String name, String part) {
    byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
    boolean plain =
        part.equals(part.strip())
            && part.chars().noneMatch(ReleaseId::isForbidden)
            && part.equals(new String(bytes, StandardCharsets.UTF_8)); // no unpaired surrogates
    if (bytes.length < 1 || bytes.length > LONGEST_PART || !plain) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s must have 1 to %d bytes, no slash, no control character and no blank at its ends."
                  + " Provided value: '%s'",
              name,
              LONGEST_PART,
              part));
    }
  }

  private static boolean isForbidden(int character) {
    return character == '/' || Character.isISOControl(character);
  }

  /** The parts joined by slashes. */
  @Override
  public String toString() {
    return String.join("/", stream, group, epoch, sketch);
  }
}
