package io.gauze.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlVersionException;
import org.snakeyaml.engine.v2.nodes.Node;

/** A YAML 1.2 file with one document. */
final class YamlFile {
  /** The most bytes of a file, enough for thousands of columns and groups. */
  private static final int MOST_BYTES = 1 << 20;

  private static final int MOST_DEPTH = 64;
  private static final int LEAST_BUFFER = 1024;

  private YamlFile() {}

  /**
   * Reads the text of a file. Reads at most one byte more than allowed, also from an endless file.
   */
  static String text(Path file) throws ConfigException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MOST_BYTES + 1);
      if (bytes.length > MOST_BYTES) {
        throw new ConfigException(
            file + ": is longer than " + MOST_BYTES + " bytes; write a shorter one");
      }
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (NoSuchFileException e) {
      throw new ConfigException(file + ": there is no such file; give the path of a config", e);
    } catch (AccessDeniedException e) {
      throw new ConfigException(file + ": cannot be read: permission denied", e);
    } catch (CharacterCodingException e) {
      throw new ConfigException(file + ": is not UTF-8 text; save it as UTF-8", e);
    } catch (IOException e) {
      throw new ConfigException(file + ": cannot be read: " + e.getMessage(), e);
    }
  }

  /** Checks whether a file may have this text. */
  static boolean isShort(String text) {
    return text.getBytes(UTF_8).length <= MOST_BYTES;
  }

  /** Returns the top node of a config. */
  static YamlValue parse(String name, String text) throws ConfigException {
    return parse(name, text, YamlValue.CONFIG);
  }

  /**
   * Returns the document's top node.
   *
   * @param what the kind of the document in errors
   */
  static YamlValue parse(String name, String text, String what) throws ConfigException {
    // One buffer holds the whole text: the scanner copies its buffer whenever it reads on.
    int buffer = Math.max(LEAST_BUFFER, text.length());
    LoadSettings settings =
        LoadSettings.builder()
            .setLabel(name)
            .setBufferSize(buffer)
            .setCodePointLimit(buffer)
            .build();
    try {
      checkDepth(name, new Parse(settings).parseString(text));
      Optional<Node> node = new Compose(settings).composeString(text);
      return new YamlValue(
          name,
          what,
          node.orElseThrow(
              () ->
                  new ConfigException(name + ":1: is empty; write " + what.replace("the ", "a "))));
    } catch (MarkedYamlEngineException e) {
      int line = e.getProblemMark().or(e::getContextMark).map(Mark::getLine).orElse(0) + 1;
      throw new ConfigException(
          name + ":" + line + ": is not valid YAML: " + e.getProblem() + "; correct the line", e);
    } catch (ReaderException e) {
      long line = 1 + text.codePoints().limit(e.getPosition()).filter(c -> c == '\n').count();
      String character = String.format(Locale.ROOT, "U+%04X", e.getCodePoint());
      throw new ConfigException(
          name + ":" + line + ": has the character " + character + "; remove it", e);
    } catch (YamlVersionException e) {
      throw new ConfigException(
          name + ":1: is of another version of YAML than 1.2; remove the line %YAML", e);
    } catch (YamlEngineException e) {
      throw new ConfigException(name + ": is not valid YAML: " + e.getMessage(), e);
    }
  }

  /**
   * Checks the depth of the document before its nodes are composed, which is recursive; events are
   * not.
   */
  private static void checkDepth(String name, Iterable<Event> events) throws ConfigException {
    int depth = 0;
    for (Event event : events) {
      boolean begins = event instanceof CollectionStartEvent;
      depth += begins ? 1 : event instanceof CollectionEndEvent ? -1 : 0;
      if (depth > MOST_DEPTH) {
        int line = event.getStartMark().map(Mark::getLine).orElse(0) + 1;
        throw new ConfigException(
            name + ":" + line + ": is nested deeper than " + MOST_DEPTH + "; nest less");
      }
    }
  }
}
