package io.gauze.config;

/**
 * Thrown for a config that cannot be used. The message has the file, line and key, the provided
 * value and what is allowed.
 */
public final class ConfigException extends Exception {
  private static final long serialVersionUID = 1L;

  public ConfigException(String message) {
    super(message);
  }

  public ConfigException(String message, Throwable cause) {
    super(message, cause);
  }
}
