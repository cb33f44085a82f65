package io.gauze.config;

/**
 * A config that cannot be used. The message says file, line, key, what was given, and what is
 * allowed.
 */
public final class ConfigException extends Exception {
  private static final long serialVersionUID = 1L;

  /** An error with its place, what was given and what is allowed. */
  public ConfigException(String message) {
    super(message);
  }

  /** An error with its place, what was given and what is allowed. */
  public ConfigException(String message, Throwable cause) {
    super(message, cause);
  }
}
