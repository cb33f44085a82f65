package io.gauze.topic;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigData;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.provider.ConfigProvider;

/**
 * References to secrets in Kafka's client properties: {@code ${env:NAME}} and {@code ${file:PATH}}.
 * They travel unresolved, also in the job graph. Each Kafka client resolves them in its own process
 * when it is created, so every machine that runs a part of the job needs the variable or the file.
 */
public final class Secrets {
  private static final String PROVIDERS = "config.providers";
  private static final Pattern REFERENCE = Pattern.compile("\\$\\{(env|file):[^}]+}");

  private Secrets() {}

  /** Returns whether {@code value} contains a reference. */
  public static boolean isReference(String value) {
    return REFERENCE.matcher(value).find();
  }

  /**
   * Returns the secret that a text refers to.
   *
   * @param what the name of the text in error messages
   * @throws IllegalArgumentException if the text is no reference, or the secret cannot be read; the
   *     message shows no secret
   */
  public static String resolve(String what, String reference) {
    if (!REFERENCE.matcher(reference).matches()) {
      throw new IllegalArgumentException(
          what
              + " must be ${env:NAME} or ${file:PATH}, so that the secret is in no list of"
              + " processes");
    }
    int colon = reference.indexOf(':');
    String name = reference.substring(colon + 1, reference.length() - 1);
    String secret =
        reference.startsWith("${env:")
            ? System.getenv().getOrDefault(name, "")
            : contents(what, name);
    if (secret.isBlank()) {
      throw new IllegalArgumentException(
          what + " refers to " + reference + ", which is not set or empty");
    }
    return secret;
  }

  private static String contents(String what, String file) {
    try {
      return Files.readString(Path.of(file), StandardCharsets.UTF_8).stripTrailing();
    } catch (IOException e) {
      String reason = OptionFile.reason(Path.of(file), e);
      throw new IllegalArgumentException(
          what + " refers to the file " + file + ", which cannot be read: " + reason, e);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException(
          what + " refers to the file " + file + ", which is no name of a file", e);
    }
  }

  /** Adds the providers that resolve references, unless {@code properties} name others. */
  static void addProviders(Properties properties) {
    boolean needed = properties.values().stream().anyMatch(value -> isReference(value.toString()));
    if (needed && !properties.containsKey(PROVIDERS)) {
      properties.setProperty(PROVIDERS, "env,file");
      properties.setProperty(PROVIDERS + ".env.class", Environment.class.getName());
      properties.setProperty(PROVIDERS + ".file.class", WholeFile.class.getName());
    }
  }

  /** A provider of secrets; Kafka creates one for every client. */
  private abstract static class Provider implements ConfigProvider {
    abstract String find(String name);

    // Kafka splits a reference at a colon into path and key; here the colon is part of the path.
    @Override
    public ConfigData get(String path, Set<String> keys) {
      String before =
          Optional.ofNullable(path).filter(p -> !p.isEmpty()).map(p -> p + ":").orElse("");
      Map<String, String> found = new HashMap<>();
      keys.forEach(key -> found.put(key, find(before + key)));
      return new ConfigData(found);
    }

    @Override
    public ConfigData get(String path) {
      throw new ConfigException("a reference to a secret must name one. Provided value: " + path);
    }

    @Override
    public void configure(Map<String, ?> settings) {}

    @Override
    public void close() {}
  }

  /** Resolves a reference to the value of an environment variable. */
  public static final class Environment extends Provider {
    private final Function<String, String> variables;

    /** Reads the environment of this process. */
    public Environment() {
      this(System::getenv);
    }

    Environment(Function<String, String> variables) {
      this.variables = variables;
    }

    @Override
    String find(String name) {
      return Optional.ofNullable(variables.apply(name))
          .orElseThrow(
              () ->
                  new ConfigException(
                      "kafka.properties refers to the environment variable "
                          + name
                          + ", which is not set in "
                          + here()
                          + "; set it for every process that runs a part of the job"));
    }
  }

  /** Resolves a reference to the text of a file, without trailing white space. */
  public static final class WholeFile extends Provider {
    @Override
    String find(String name) {
      try {
        return Files.readString(Path.of(name), StandardCharsets.UTF_8).stripTrailing();
      } catch (IOException | InvalidPathException e) {
        throw new ConfigException(
            "kafka.properties refers to the file "
                + name
                + ", which cannot be read in "
                + here()
                + ": "
                + reason(name, e)
                + "; put it on every machine that runs a part of the job, readable by its user");
      }
    }
  }

  private static String reason(String file, Exception problem) {
    return problem instanceof InvalidPathException
        ? "that is no name of a file"
        : OptionFile.reason(Path.of(file), problem);
  }

  private static String here() {
    return "process "
        + ProcessHandle.current().pid()
        + Optional.ofNullable(System.getenv("HOSTNAME")).map(host -> " on " + host).orElse("");
  }
}
