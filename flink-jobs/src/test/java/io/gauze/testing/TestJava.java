package io.gauze.testing;

import io.gauze.Main;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Commands of Java processes that tests start. They live for seconds, in which the optimising
 * compiler and a collector with threads of its own would take half of the CPU time, and the
 * verification of classes that javac has made a tenth.
 */
public final class TestJava {
  static final List<String> QUICK_START =
      List.of(
          "-XX:TieredStopAtLevel=1",
          "-XX:+UseSerialGC",
          "-XX:MetaspaceSize=96m", // smaller ones grow by full collections
          "-XX:+UnlockDiagnosticVMOptions",
          "-XX:-BytecodeVerificationRemote");

  private TestJava() {}

  /** The command of a JVM, as words; the caller adds its class path, main class and arguments. */
  public static List<String> jvm(String... options) {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(QUICK_START);
    words.addAll(List.of(options));
    return words;
  }

  /** The command of a program on the class path of this test, as words. */
  public static List<String> program(Class<?> main, List<String> options, String... arguments) {
    List<String> words = jvm(options.toArray(new String[0]));
    words.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    words.addAll(List.of(arguments));
    return words;
  }

  /** The command of gauze itself on the class path of this test, as words. */
  public static List<String> gauze(List<String> options, String... arguments) {
    return program(Main.class, options, arguments);
  }
}
