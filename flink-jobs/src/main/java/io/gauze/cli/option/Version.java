package io.gauze.cli.option;

import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The versions of the program and of what it runs on. */
public final class Version implements IVersionProvider {
  private static Properties versions() throws IOException {
    Properties versions = new Properties();
    try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
      versions.load(in);
    }
    return versions;
  }

  /** Returns the version of this program alone. */
  public static String ofProgram() throws IOException {
    return versions().getProperty("gauze");
  }

  @Override
  public String[] getVersion() throws IOException {
    Properties versions = versions();
    String line =
        String.format(
            Locale.ROOT,
            "gauze %s (Flink %s, Kafka %s, Java %s)",
            versions.getProperty("gauze"),
            versions.getProperty("flink"),
            versions.getProperty("kafka"),
            Runtime.version());
    return new String[] {line};
  }
}
