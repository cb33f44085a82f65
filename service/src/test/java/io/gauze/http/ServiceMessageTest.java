package io.gauze.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gauze.http.protocol.Problem;
import io.gauze.http.resource.ServiceResources;
import io.gauze.message.Entry;
import io.gauze.report.ServiceMessage;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each problem has an entry of the catalogue, and each entry a problem. */
final class ServiceMessageTest {
  private static final Map<String, String> CODES =
      Map.ofEntries(
          Map.entry("bad-request", "GZ-REQUEST"),
          Map.entry("bad-column", "GZ-COLUMN"),
          Map.entry("unauthorized", "GZ-TOKEN"),
          Map.entry("not-found", "GZ-NOTHERE"),
          Map.entry("unknown-release", "GZ-NORELEASE"),
          Map.entry("method-not-allowed", "GZ-METHOD"),
          Map.entry("not-acceptable", "GZ-FORMAT"),
          Map.entry("contested-release", "GZ-CONTESTED"),
          Map.entry("timeout", "GZ-TIMEOUT"),
          Map.entry("too-large", "GZ-TOOLARGE"),
          Map.entry("refused", "GZ-UNANSWERABLE"),
          Map.entry("busy", "GZ-BUSY"),
          Map.entry("damaged-release", "GZ-DAMAGED"),
          Map.entry("internal", "GZ-FAULT"));

  @Test
  void aProblemSaysItsKind() throws IOException {
    for (Map.Entry<String, String> each : CODES.entrySet()) {
      Problem problem = new Problem(400, each.getKey(), "what is wrong");
      JsonNode said = JsonMapper.builder().build().readTree(problem.reply().body());
      assertThat(said.path("code").asText()).isEqualTo(each.getKey());
      assertThat(said.at("/messages/0/code").asText()).isEqualTo(each.getValue());
      assertThat(said.at("/messages/0/message").asText()).endsWith(".");
      assertThat(said.at("/messages/0/action").asText()).endsWith(".");
    }
    assertThat(ServiceMessage.values()).extracting(Entry::code).hasSameElementsAs(CODES.values());
  }

  @Test
  void theDocumentListsTheSameCodes() throws IOException {
    try (InputStream in = ServiceResources.class.getResourceAsStream("openapi.json")) {
      JsonNode codes =
          JsonMapper.builder()
              .build()
              .readTree(in)
              .at("/components/schemas/Problem/properties/code/enum");
      List<String> documented = new ArrayList<>();
      codes.forEach(code -> documented.add(code.asText()));
      assertThat(documented).hasSameElementsAs(CODES.keySet());
    }
  }
}
