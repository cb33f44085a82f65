package io.gauze.config;

import io.gauze.plan.ColumnForm;
import io.gauze.plan.StreamFingerprints;
import io.gauze.row.Column;
import io.gauze.row.MissingValues;
import io.gauze.row.ResponseBound;
import io.gauze.row.RowSchema;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The encoding of rows in a file of its own. Configs that name it encode rows alike, whatever their
 * budgets and numbers of rows are: row bound, intercept and factors are written out, and not
 * planned. Only releases of one encoding can be added up.
 */
public final class EncodingFile {
  /** The key of a config that names the file. */
  static final String KEY = "encoding";

  private static final String FACTORS = "factors";
  private static final String VERSION = "encodingVersion";
  private static final String NUMBERS = "a list of a number in [0.0009765625, 1] for each column";

  static final ConfigSection KEYS =
      ConfigSection.of(
          "encoding file",
          ConfigKey.of("columns", ConfigKey.LIST, "at least 1", "As in a config.").required(),
          ConfigKey.of("intercept", ConfigKey.NUMBER, "as in a config", "As in a config.")
              .required(),
          ConfigKey.of("rowBound", ConfigKey.NUMBER, "as in a config", "As in a config.")
              .required(),
          ConfigKey.of("response", "column or list of columns", "of `columns`", "As in a config."),
          ConfigKey.of("responseBound", ConfigKey.NUMBER, "(0, `rowBound`)", "As in a config.")
              .requiredWith("with `response`"),
          ConfigKey.of("missing", ConfigKey.WORD, "`reject`, `midpoint`", "As in a config.")
              .required(),
          ConfigKey.of(
                  FACTORS,
                  "list of numbers",
                  "[2^-10, 1], one for each column",
                  "By what the encoded values of the columns are multiplied.")
              .required(),
          ConfigKey.of(
                  VERSION,
                  ConfigKey.TEXT,
                  "64 hexadecimal digits",
                  "The hash of all of this, by which releases are compared.")
              .required());

  private EncodingFile() {}

  /**
   * Returns the keys and values of a config with those of its encoding file.
   *
   * @param top those of the config, beside whose file the other one is looked for
   * @throws ConfigException if the config has a key of the encoding, too, or the file cannot be
   *     read
   */
  static YamlMap resolve(YamlMap top) throws ConfigException {
    Optional<YamlValue> named = top.get(KEY);
    if (named.isEmpty()) {
      return top;
    }
    for (String key : KEYS.names()) {
      if (top.has(key)) {
        throw top.require(key, "")
            .error(
                "is a key of the encoding file, too; remove it here, or remove encoding (the"
                    + " character set of a CSV file is the option --encoding)");
      }
    }
    Path file = named.get().path("a file with an encoding");
    if (!Files.isRegularFile(file)) {
      throw named
          .get()
          .error(
              "must be a file with an encoding, which gauze check --write-encoding makes. Provided"
                  + " value: "
                  + file);
    }
    return top.with(parse(file.toString(), YamlFile.text(file)));
  }

  private static YamlMap parse(String name, String text) throws ConfigException {
    YamlMap keys =
        YamlFile.parse(name, text, YamlValue.ENCODING)
            .map("keys and values, beginning with columns")
            .only(KEYS);
    for (ConfigKey key : KEYS.keys()) {
      if (key.isRequired()) {
        keys.require(key.name(), "what gauze check --write-encoding wrote");
      }
    }
    return keys;
  }

  /** Refuses a config that names a file, where it is no file itself. */
  static YamlMap refuse(YamlMap top) throws ConfigException {
    if (top.has(KEY)) {
      throw top.require(KEY, "")
          .error("names a file beside the config, and this config is none; write its keys here");
    }
    return top;
  }

  /** Checks whether the columns are those of an encoding file. */
  static boolean isIn(YamlMap top) {
    return top.has(VERSION);
  }

  /**
   * Reads the encoding.
   *
   * @param columns those of the file
   * @param responses names of columns
   * @throws ConfigException if a value is not allowed, or the hash is that of something else
   */
  static RowSchema read(
      YamlMap top, List<Column> columns, List<String> responses, MissingValues missing)
      throws ConfigException {
    YamlValue version = top.require(VERSION, "");
    List<Double> factors = new ArrayList<>();
    for (YamlValue factor : top.require(FACTORS, NUMBERS).list(NUMBERS)) {
      factors.add(factor.number("a number in [0.0009765625, 1]"));
    }
    double intercept = top.require("intercept", ConfigKey.NUMBER).number("a finite number");
    double rowBound = top.require("rowBound", ConfigKey.NUMBER).number("a finite number");
    if (top.has("responseBound") == responses.isEmpty()) {
      throw version.error("belongs to a response with a responseBound, or to none of both");
    }
    OptionalDouble bound =
        responses.isEmpty()
            ? OptionalDouble.empty()
            : OptionalDouble.of(
                top.require("responseBound", ConfigKey.NUMBER).number("a finite number"));
    RowSchema schema =
        version.make(
            () ->
                RowSchema.of(columns, intercept, rowBound, missing)
                    .withFactors(factors)
                    .withResponses(
                        bound.isPresent()
                            ? new ResponseBound(responses, bound.getAsDouble())
                            : ResponseBound.NONE));
    String found = StreamFingerprints.encoding(schema);
    if (!version.text("64 hexadecimal digits").equals(found)) {
      throw version.error(
          "is not the hash of the columns and numbers of the file, "
              + found
              + ": it was edited. Take the file as it was made, or make another one with gauze"
              + " check --write-encoding");
    }
    return schema;
  }

  /**
   * Writes the encoding of a config.
   *
   * @return whether the file is new; false if it holds this encoding already
   * @throws ConfigException if ranges are not chosen yet, or the file holds something else
   * @throws IOException if the file cannot be written
   */
  public static boolean write(StreamConfig config, Path file) throws ConfigException, IOException {
    config.requireKnownRanges("check --write-encoding");
    if (Files.exists(file)) {
      if (!read(config, file.toString(), YamlFile.text(file)).equals(config.schema())) {
        throw new ConfigException(
            file
                + ": is there already and is not this encoding, so that releases of the two do not"
                + " add up; name another file");
      }
      return false;
    }
    if (!Files.isDirectory(file.toAbsolutePath().getParent())) {
      throw new ConfigException(file + ": its folder does not exist; make it, or name another one");
    }
    String text = text(config.schema(), config.spreads());
    if (!isReadAs(config, file, text)) {
      throw new ConfigException(
          file
              + ": names and texts of the columns are too long for an encoding file; shorten them");
    }
    Files.writeString(file, text, StandardCharsets.UTF_8);
    return true;
  }

  // A file takes escapes for some characters, and YAML has limits.
  private static boolean isReadAs(StreamConfig config, Path file, String text) {
    try {
      return YamlFile.isShort(text) && read(config, file.toString(), text).equals(config.schema());
    } catch (ConfigException e) { // the caller says what to do
      return false;
    }
  }

  private static RowSchema read(StreamConfig config, String name, String text)
      throws ConfigException {
    return ColumnsReader.read(
        parse(name, text), config.budget(), 1, true, true, RangeEstimates::placeholder);
  }

  private static String text(RowSchema schema, Map<String, Double> spreads) {
    StringBuilder text =
        new StringBuilder(
            "# An encoding: configs with encoding: and this file's name encode rows alike, and their"
                + " releases add up.\n# Made by gauze check --write-encoding; do not edit it.\n");
    text.append("columns:\n");
    for (Column column : schema.columns()) {
      text.append("  - {").append(column(column, spreads)).append("}\n");
    }
    text.append("intercept: ").append(schema.intercept());
    text.append("\nrowBound: ").append(schema.rowBound());
    if (!schema.responses().isEmpty()) {
      text.append("\nresponse: ").append(texts(schema.responses().columns()));
      text.append("\nresponseBound: ").append(schema.responses().bound());
    }
    text.append("\nmissing: ")
        .append(schema.missing() == MissingValues.MIDPOINT ? "midpoint" : "reject");
    text.append("\nfactors: ").append(schema.factors());
    return text.append("\nencodingVersion: ")
        .append(StreamFingerprints.encoding(schema))
        .append('\n')
        .toString();
  }

  private static String column(Column column, Map<String, Double> spreads) {
    ColumnForm form = ColumnForm.of(column);
    Map<String, String> keys = new LinkedHashMap<>();
    keys.put("name", quoted(form.name()));
    keys.put("source", quoted(form.source()));
    if (column.isIndicator()) {
      keys.put("equals", quoted(form.texts().get(0)));
    } else if (column.isOneHot()) {
      int listed = form.texts().size() - (column.isOpen() ? 1 : 0);
      keys.put("categories", texts(form.texts().subList(0, listed)));
      if (column.isOpen()) {
        keys.put("other", quoted(form.texts().get(listed)));
      }
    } else {
      keys.put("lower", Double.toString(form.lower()));
      keys.put("upper", Double.toString(form.upper()));
      if (!column.isCentred()) {
        keys.put("typical", Double.toString(form.typical()));
      }
      if (spreads.containsKey(form.name())) {
        keys.put("spread", Double.toString(spreads.get(form.name())));
      }
      if (!form.texts().isEmpty()) {
        keys.put("map", ranks(form));
      }
    }
    List<String> parts = new ArrayList<>();
    keys.forEach((key, value) -> parts.add(key + ": " + value));
    return String.join(", ", parts);
  }

  private static String ranks(ColumnForm form) {
    List<String> ranks = new ArrayList<>();
    for (int k = 0; k < form.texts().size(); k++) {
      ranks.add(quoted(form.texts().get(k)) + ": " + form.ranks().get(k));
    }
    return "{" + String.join(", ", ranks) + "}";
  }

  private static String texts(List<String> texts) {
    return "[" + String.join(", ", texts.stream().map(EncodingFile::quoted).toList()) + "]";
  }

  /** A text in double quotes, in which YAML reads any character. */
  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    text.codePoints()
        .forEach(
            point -> {
              boolean plain =
                  (point >= 0x20 && point < 0x7f)
                      || (point >= 0xa0 && Character.isLetterOrDigit(point));
              if ("\"\\".indexOf(point) >= 0) {
                quoted.append('\\').appendCodePoint(point);
              } else if (plain) {
                quoted.appendCodePoint(point);
              } else {
                quoted.append(String.format(Locale.ROOT, "\\U%08X", point));
              }
            });
    return quoted.append('"').toString();
  }
}
