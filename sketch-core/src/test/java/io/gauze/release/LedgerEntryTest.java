package io.gauze.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gauze.privacy.Randomness;
import io.gauze.release.LedgerEntry.State;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LedgerEntryTest {
  private static LedgerEntry entry(State state) {
    long[] payload = new long[28];
    Release release =
        Release.of(Fixtures.plan(), Fixtures.id("moments"), Randomness.SYSTEM, payload);
    return LedgerEntry.of(release, release.toBytes(), state, "0123456789abcdef".repeat(4));
  }

  @ParameterizedTest
  @EnumSource
  void survivesJson(State state) {
    LedgerEntry entry = entry(state);
    assertThat(LedgerEntry.fromJson(entry.toJson())).isEqualTo(entry);
    assertThat(entry.toJson())
        .startsWith("{\"id\":\"wine/all/2026-01-01T00:00:00Z/moments\",\"sha256\":\"")
        .contains("\"state\":\"" + state.label() + "\",\"series\":\"0123456789abcdef")
        .contains("\"guarantee\":{\"epsilon\":1.0,")
        .contains("\"sentence\":\"Differentially private")
        .doesNotContain("\n");
  }

  @Test
  void changesItsStateOnly() {
    assertThat(entry(State.SPENT).withState(State.PUBLISHED)).isEqualTo(entry(State.PUBLISHED));
  }

  /** The digest of "abc" in FIPS 180-4. */
  @Test
  void hashesWithSha256() {
    assertThat(LedgerEntry.sha256("abc".getBytes(StandardCharsets.US_ASCII)))
        .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  }

  @Test
  void refusesWhatIsNotAnEntry() {
    String good = entry(State.SPENT).toJson();
    refused("{", "ledger entry must be JSON");
    refused("", "ledger entry: id must be a text. Provided value: none");
    refused("[]", "ledger entry: id must be a text. Provided value: none");
    refused(
        good.replace("\"spent\"", "\"lost\""), "ledger entry: state must be spent or published");
    refused(good.replace("1.0E-6,", "2,"), "ledger entry: delta must be in (0, 0.1]");
    refused(good.replace("\"row\"", "7"), "ledger entry: unit must be a text. Provided value: 7");
    refused(good.replace("\"idealised\":false", "\"idealised\":0"), "ledger entry: idealised must");
    refused(
        good.replace("\"epsilon\":1.0", "\"epsilon\":\"1\""), "ledger entry: epsilon must be a");
    refused(good.replace("\"assumptions\"", "\"x\""), "ledger entry: assumptions must be a list");
    refused(good.replace("/moments\"", "\""), "ledger entry: release id must be stream/group");
    refused(
        good.replaceFirst("\"sha256\":\"..", "\"sha256\":\"XY"), "ledger entry: sha256 must be 64");
  }

  @Test
  void refusesASeriesThatIsNoHash() {
    refused(
        entry(State.SPENT).toJson().replace("0123456789abcdef", "g"),
        "ledger entry: series must be 64 lower-case hexadecimal digits");
  }

  private static void refused(String json, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LedgerEntry.fromJson(json))
        .withMessageStartingWith(message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "a/b/c", "a/b/c/d/e", "a//c/d", "a/b/ c/d", "a/b/c\n/d", "a/b/\ud800/d"})
  void refusesOtherIds(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ReleaseId.parse(text))
        .withMessageContaining("Provided value:");
  }

  @Test
  void idsSurviveText() {
    ReleaseId id = new ReleaseId("wine", "Île-de-France", "all", "moments");
    assertThat(ReleaseId.parse(id.toString())).isEqualTo(id);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ReleaseId("wine", "é".repeat(128), "all", "moments"))
        .withMessageStartingWith("group must have 1 to 255 bytes");
  }
}
