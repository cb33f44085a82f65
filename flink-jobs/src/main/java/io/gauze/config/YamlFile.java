package io.gauze.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/** A YAML 1.2 file with one document. */
final class YamlFile {
  private YamlFile() {}

  static String text(Path file) throws ConfigException {
    try {
      return Files.readString(file);
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

  /** The document's top node. */
  static YamlValue parse(String name, String text) throws ConfigException {
    LoadSettings settings = LoadSettings.builder().setLabel(name).build();
    try {
      Optional<Node> node = new Compose(settings).composeString(text);
      return new YamlValue(
          name,
          "the config",
          node.orElseThrow(() -> new ConfigException(name + ":1: is empty; write a config")));
    } catch (MarkedYamlEngineException e) {
      int line = e.getProblemMark().or(e::getContextMark).map(Mark::getLine).orElse(0) + 1;
      throw new ConfigException(
          name + ":" + line + ": is not valid YAML: " + e.getProblem() + "; correct the line", e);
    } catch (YamlEngineException e) {
      throw new ConfigException(name + ": is not valid YAML: " + e.getMessage(), e);
    }
  }
}
