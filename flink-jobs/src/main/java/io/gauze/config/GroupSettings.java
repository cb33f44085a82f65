package io.gauze.config;

import io.gauze.mechanism.ReleaseId;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The public groups of a stream. Each has a release in every epoch, with or without rows.
 *
 * @param field the field whose text is a row's group
 * @param values the groups, all different, each a part of a {@link ReleaseId}; immutable
 */
public record GroupSettings(String field, List<String> values) {
  /** The most groups: with hourly epochs, this is about six releases of each sketch a second. */
  static final int MOST = 20_000;

  static final ConfigSection KEYS =
      ConfigSection.of(
          "groups",
          ConfigKey.of("field", ConfigKey.TEXT, "", "The field that holds the group.").required(),
          ConfigKey.of(
                  "values",
                  ConfigKey.TEXTS,
                  "1 to " + MOST + ", all different",
                  "The groups. A row with another text is a dead letter.")
              .required());

  static Optional<GroupSettings> read(YamlMap top) throws ConfigException {
    Optional<YamlValue> given = top.get("groups");
    if (given.isEmpty()) {
      return Optional.empty();
    }
    YamlMap map = given.get().map("{field: FIELD, values: [A, B]}").only(KEYS);
    String field = map.require("field", "the field").text("the field that holds the group");
    String allowed = "a list of at most " + MOST + " different texts";
    YamlValue list = map.require("values", allowed);
    List<YamlValue> elements = list.list(allowed);
    if (elements.size() > MOST) {
      throw list.error("must be " + allowed + ". Provided value: one of " + elements.size());
    }
    Set<String> values = new LinkedHashSet<>();
    for (YamlValue element : elements) {
      String value = element.text("a text");
      if (!values.add(value)) {
        throw element.error("is there twice; remove one. Provided value: " + value);
      }
      element.make(
          () -> {
            ReleaseId.checkPart("a group", value);
            return value;
          });
    }
    return Optional.of(new GroupSettings(field, List.copyOf(values)));
  }
}
