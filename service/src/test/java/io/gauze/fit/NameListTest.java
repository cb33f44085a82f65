package io.gauze.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

final class NameListTest {
  private static List<String> parse(String text) {
    return NameList.parse("features", text);
  }

  @Test
  void readsNamesAsCsvDoes() {
    assertThat(parse("a,b")).containsExactly("a", "b");
    assertThat(parse(" a , b c ")).containsExactly("a", "b c");
    assertThat(parse("\"height, cm\", w")).containsExactly("height, cm", "w");
    assertThat(parse("\"say \"\"x\"\"\"")).containsExactly("say \"x\"");
    assertThat(parse("5\" disk")).containsExactly("5\" disk");
  }

  @Test
  void anEmptyNameStays() {
    assertThat(parse("a,")).containsExactly("a", "");
    assertThat(parse(",a")).containsExactly("", "a");
    assertThat(parse("")).containsExactly("");
    assertThat(parse("\"\",")).containsExactly("", "");
  }

  @Test
  void quotesMustMatch() {
    for (String text : List.of("\"a", "\"a\"b", "a,\"", "\"a\"\"")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> parse(text))
          .withMessageContaining("in double quotes")
          .withMessageEndingWith("Provided value: " + text);
    }
  }
}
