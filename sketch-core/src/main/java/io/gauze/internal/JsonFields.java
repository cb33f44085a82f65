package io.gauze.internal;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;

/** Reads values of a JSON object and checks their types. */
public final class JsonFields {
  private JsonFields() {}

  public static String text(JsonNode value, String name) {
    check(value.isTextual(), name, "a text", value);
    return value.textValue();
  }

  public static double number(JsonNode node, String name) {
    JsonNode value = node.path(name);
    check(value.isNumber(), name, "a number", value);
    return value.doubleValue();
  }

  public static int whole(JsonNode node, String name) {
    JsonNode value = node.path(name);
    check(value.isInt(), name, "a whole number", value);
    return value.intValue();
  }

  public static boolean flag(JsonNode node, String name) {
    JsonNode value = node.path(name);
    check(value.isBoolean(), name, "true or false", value);
    return value.booleanValue();
  }

  public static JsonNode array(JsonNode node, String name) {
    JsonNode value = node.path(name);
    check(value.isArray(), name, "a list", value);
    return value;
  }

  private static void check(boolean good, String name, String type, JsonNode value) {
    if (!good) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s must be %s. Provided value: %s",
              name,
              type,
              value.isMissingNode() ? "none" : value));
    }
  }
}
