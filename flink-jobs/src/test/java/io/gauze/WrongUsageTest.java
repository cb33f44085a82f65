package io.gauze;

import static io.gauze.MainTest.lines;
import static io.gauze.MainTest.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.MainTest.Result;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WrongUsageTest {
  @Test
  void aMistypedVerbIsNamedWithTheNearest() {
    assertThat(run("fti --response y").err())
        .isEqualTo(
            lines("gauze: there is no verb 'fti'; the nearest is fit", "Try: ./gauze --help"));
  }

  /** Though an option is missing then, too: the same one. */
  @Test
  void aMistypedOptionIsNamedWithTheNearest() {
    for (String option : List.of("--respnse kwh", "--respnse=kwh")) {
      assertThat(run("fit --release a.avro " + option))
          .isEqualTo(
              new Result(
                  2,
                  "",
                  lines(
                      "gauze: Unknown option: '--respnse'; the nearest is --response",
                      "Try: ./gauze fit --help")));
    }
    assertThat(run("fit --release a.avro").err()).contains("Missing required option: '--response");
  }

  /** At what a user may have meant by an argument that belongs to no option. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "fit a.avro --response y | 'a.avro'; say --release a.avro",
        "fit own.yaml | 'own.yaml'; say --config own.yaml",
        "fit rows.csv --response y | 'rows.csv'; fit takes releases, and the fit of raw rows,",
        "init rows.txt | 'rows.txt'; say --csv rows.txt",
        "send --config a.yaml rows.csv.gz | 'rows.csv.gz'; say --csv rows.csv.gz",
        "fit --release a.avro --response living area --loss lad"
            + " | 'area'; a name with spaces needs quotes: --response 'living area'",
        "fit --release a.avro --features=old,living area"
            + " | 'area'; a name with spaces needs quotes: --features 'old,living area'",
        "fit --response total living area"
            + " | 'living'; a name with spaces needs quotes: --response 'total living area'",
        "fit kwh | 'kwh'; fit takes options: --response COL, --release FILE[,FILE], --config FILE",
        "check --config a.yaml now | 'now'; a name with spaces needs quotes: --config 'a.yaml now'"
      })
  void anArgumentWithoutAnOptionIsNamed(String words, String message) {
    Result result = run(words);
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err()).startsWith("gauze: no option takes " + message);
  }
}
