package io.gauze.config;

import static io.gauze.testing.ReferencePages.cell;

import io.gauze.mechanism.MechanismOption;
import io.gauze.mechanism.Mechanisms;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The tables of the keys of a config, made from those with which the readers check it. */
public final class ConfigTables {
  private ConfigTables() {}

  /** The parts of a config by their paths; that of the whole config is empty. */
  static Map<String, ConfigSection> sections() {
    return List.of(
            StreamKeys.TOP,
            ColumnsReader.KEYS,
            PrivacyReader.KEYS,
            PrivacyReader.USER,
            PrivacyReader.TOTAL,
            EpochsReader.KEYS,
            EpochsReader.TIME_KEYS,
            GroupSettings.KEYS,
            SketchReader.SKETCH_KEYS,
            SketchReader.MODEL_KEYS,
            KafkaReader.KEYS,
            KafkaReader.TOPIC_KEYS,
            KafkaReader.CREATE,
            RowsReader.KEYS,
            RowsReader.KEY_KEYS,
            RowsReader.DELETION_KEYS,
            RowsReader.REGISTRY,
            FlinkReader.KEYS)
        .stream()
        .collect(
            Collectors.toMap(ConfigSection::path, all -> all, (a, b) -> a, LinkedHashMap::new));
  }

  /** Returns all tables by the names of their places in the page. */
  public static Map<String, String> all() {
    Map<String, String> tables = new TreeMap<>();
    sections()
        .forEach((path, section) -> tables.put(path.isEmpty() ? "config" : path, table(section)));
    tables.put("options of sketches", options(Mechanisms.sketches()));
    tables.put("options of models", options(Mechanisms.models()));
    return tables;
  }

  private static String table(ConfigSection section) {
    StringBuilder text =
        new StringBuilder("| key | type | default | allowed | meaning |\n|---|---|---|---|---|\n");
    for (ConfigKey key : section.keys()) {
      text.append(
          row("`" + key.name() + "`", key.type(), key.byDefault(), key.allowed(), key.text()));
    }
    return text.toString();
  }

  /** The options of mechanisms; those that are alike have one line. */
  private static String options(List<String> mechanisms) {
    Map<MechanismOption, String> users = new LinkedHashMap<>();
    for (String mechanism : mechanisms) {
      for (MechanismOption option : Mechanisms.options(mechanism)) {
        users.merge(option, "`" + mechanism + "`", (first, next) -> first + ", " + next);
      }
    }
    StringBuilder text =
        new StringBuilder(
            "| key | of | type | default | allowed | meaning |\n|---|---|---|---|---|---|\n");
    users.entrySet().stream()
        .sorted(Map.Entry.comparingByKey(Comparator.comparing(MechanismOption::name)))
        .forEach(
            entry -> {
              MechanismOption option = entry.getKey();
              text.append(
                  row(
                      "`" + option.name() + "`",
                      entry.getValue(),
                      type(option),
                      byDefault(option),
                      allowed(option),
                      option.text()));
            });
    return text.toString();
  }

  private static String type(MechanismOption option) {
    return switch (option.kind()) {
      case WHOLE -> ConfigKey.WHOLE;
      case NUMBER -> ConfigKey.NUMBER;
      case CHOICE -> ConfigKey.WORD;
      case COLUMN -> "column";
      case COLUMNS -> "list of columns";
    };
  }

  private static String byDefault(MechanismOption option) {
    boolean word = option.words().contains(option.byDefault());
    return word ? "`" + option.byDefault() + "`" : option.byDefault();
  }

  private static String plain(double value) {
    return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }

  private static String allowed(MechanismOption option) {
    return switch (option.kind()) {
      case WHOLE -> ConfigKey.range(option.least(), option.most());
      case NUMBER ->
          option.upper() == Double.MAX_VALUE
              ? "positive"
              : "[" + plain(option.lower()) + ", " + plain(option.upper()) + "]";
      case CHOICE -> "`" + String.join("`, `", option.words()) + "`";
      case COLUMN, COLUMNS -> "encoded columns, without the intercept";
    };
  }

  private static String row(String... cells) {
    StringBuilder row = new StringBuilder("|");
    for (String cell : cells) {
      row.append(' ').append(cell(cell)).append(cell.isEmpty() ? "|" : " |");
    }
    return row.append('\n').toString();
  }
}
