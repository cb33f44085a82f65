package io.gauze.config;

/**
 * A key of a config with what docs/reference/configuration.md says of it.
 *
 * @param name the key
 * @param type the kind of its value, such as a whole number
 * @param allowed the allowed values; empty if the type says it all
 * @param byDefault the value if the key is left out, or that it is required
 * @param text its meaning, in one or two sentences
 */
record ConfigKey(String name, String type, String allowed, String byDefault, String text) {
  static final String MAP = "map";
  static final String LIST = "list";
  static final String TEXT = "text";
  static final String TEXTS = "list of texts";
  static final String WORD = "word";
  static final String NUMBER = "number";
  static final String WHOLE = "whole number";
  static final String TRUTH = "truth value";
  static final String DURATION = "duration";

  private static final String REQUIRED = "required";
  private static final String NONE = "none";

  /** Returns a key that a config need not have, and that has no default. */
  static ConfigKey of(String name, String type, String allowed, String text) {
    return new ConfigKey(name, type, allowed, NONE, text);
  }

  /** Returns a key that can be left out. */
  ConfigKey or(Object otherwise) {
    return new ConfigKey(name, type, allowed, otherwise.toString(), text);
  }

  /** Returns a key that must be there. */
  ConfigKey required() {
    return or(REQUIRED);
  }

  /** Returns a key that must be there in some cases. */
  ConfigKey requiredWith(String condition) {
    return or(REQUIRED + " " + condition);
  }

  /** Checks whether the key must be there in any case. */
  boolean isRequired() {
    return byDefault.equals(REQUIRED);
  }

  /** Returns a range of whole numbers. */
  static String range(long least, long most) {
    return "[" + least + ", " + most + "]";
  }
}
