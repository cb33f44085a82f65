package io.gauze.fit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gauze.answer.RequestReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A question is read from JSON, and written so that the same question is read again. */
final class FitQuestionTest {
  private static FitQuestion read(String fields) throws Exception {
    return RequestReader.request(
            JsonMapper.builder().build().readTree("{\"response\":\"y\"" + fields + "}"))
        .question();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ",\"features\":[\"b\",\"a\"],\"freeIntercept\":true",
        ",\"scale\":\"encoded\",\"strict\":true",
        ",\"lambda\":2.5",
        ",\"loss\":\"ridge\"",
        ",\"loss\":\"ols\"",
        ",\"loss\":\"lasso\",\"lambda\":0",
        ",\"loss\":\"elastic-net\"",
        ",\"loss\":\"elastic-net\",\"alpha\":0,\"lambda\":1e-3",
        ",\"loss\":\"elastic-net\",\"alpha\":1",
        ",\"loss\":\"lad\",\"lambda\":3",
        ",\"loss\":\"quantile\",\"quantile\":0.9",
        ",\"loss\":\"quantile\",\"quantile\":0.5",
        ",\"loss\":\"huber\",\"huberThreshold\":0.1",
        ",\"loss\":\"huber\",\"huberThreshold\":0.1,\"alpha\":0.25",
        ",\"loss\":\"logistic\""
      })
  void whatIsWrittenIsTheSameQuestion(String fields) throws Exception {
    FitQuestion question = read(fields);

    assertThat(RequestReader.request(question.json()).question()).isEqualTo(question);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      textBlock =
          """
          ,"loss":"ols"                       | ,"loss":"ridge","lambda":0
          ,"lambda":2                         | ,"loss":"ridge","lambda":2
          ,"loss":"elastic-net","alpha":0     | ,"loss":"lasso"
          ,"loss":"quantile","quantile":0.5   | ,"loss":"lad"
          """)
  void questionsOfOneMeaningAreEqual(String one, String other) throws Exception {
    assertThat(read(one)).isEqualTo(read(other));
  }

  @Test
  void oneByAllOthersIsThatOfNoOtherField() throws Exception {
    assertThat(FitQuestion.byAllOthers("y")).isEqualTo(read(""));
    assertThat(FitQuestion.byAllOthers("y").inEncodedScale())
        .isEqualTo(read(",\"scale\":\"encoded\""))
        .isNotEqualTo(read(""));
  }
}
