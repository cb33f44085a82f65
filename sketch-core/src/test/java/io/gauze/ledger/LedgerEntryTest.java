package io.gauze.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gauze.accounting.Budget;
import io.gauze.accounting.MechanismCost;
import io.gauze.accounting.Neighbours;
import io.gauze.accounting.WishartNoise;
import io.gauze.ledger.LedgerEntry.State;
import io.gauze.mechanism.Fixtures;
import io.gauze.mechanism.ReleaseId;
import io.gauze.noise.Randomness;
import io.gauze.release.Release;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LedgerEntryTest {
  private static LedgerEntry entry(State state) {
    long[] payload = new long[29];
    Release release =
        Release.of(Fixtures.plan(), Fixtures.id("moments"), Randomness.SYSTEM, payload);
    return entry(release, state, terms(new MechanismCost.Gaussian(0.1)));
  }

  private static LedgerEntry entry(Release release, State state, LedgerTerms terms) {
    String series = "0123456789abcdef".repeat(4);
    return LedgerEntry.of(release, release.toBytes(), state, series, terms);
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

  private static LedgerTerms terms(MechanismCost... costs) {
    return new LedgerTerms(
        "rows", List.of(costs), 0x1p-90, new Budget(2.0, 1e-6, Neighbours.ADD_REMOVE));
  }

  /** With every kind of cost, to the last bit. */
  @Test
  void termsSurviveJson() {
    LedgerTerms terms =
        terms(
            new MechanismCost.Gaussian(0.1),
            new MechanismCost.Laplace(0.3),
            new MechanismCost.Projection(7, 1e-3 / 3),
            new MechanismCost.Wishart(new WishartNoise(3, 50, 2.5)),
            new MechanismCost.Approximate(0.0, 1e-7));
    Release release =
        Release.of(Fixtures.plan(), Fixtures.id("moments"), Randomness.SYSTEM, new long[29]);
    LedgerEntry entry = entry(release, State.SPENT, terms);
    assertThat(LedgerEntry.fromJson(entry.toJson())).isEqualTo(entry);
    assertThat(LedgerEntry.fromJson(entry.withState(State.PUBLISHED).toJson()))
        .isEqualTo(entry.withState(State.PUBLISHED));
  }

  /** The line that is stored: what reads it must not change. */
  @Test
  void aStoredLineIsRead() throws IOException {
    String line = stored("ledger-v1.json");
    LedgerEntry entry = LedgerEntry.fromJson(line);
    assertThat(entry.terms())
        .isEqualTo(
            new LedgerTerms(
                "rows",
                List.of(new MechanismCost.Gaussian(0.1), new MechanismCost.Gaussian(0.2)),
                1e-28,
                new Budget(2.0, 1e-6, Neighbours.REPLACE_ONE)));
    assertThat(entry.id()).hasToString("wine/all/2026-01-01T00:00:00Z/moments");
    assertThat(entry.state()).isEqualTo(State.SPENT);
    assertThat(entry.guarantee().basis()).isEqualTo("Balle and Wang 2018");
    assertThat(entry.toJson()).isEqualTo(line);
  }

  private static String stored(String name) throws IOException {
    try (InputStream in = LedgerEntryTest.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
    }
  }

  @Test
  void refusesWrongTerms() {
    String good = entry(State.SPENT).toJson();
    refused(good.replace("\"mu\":0.1", "\"mu\":0"), "ledger entry: mu must be > 0");
    refused(good.replace("\"gaussian\"", "\"normal\""), "ledger entry: law must be gaussian,");
    refused(good.replaceFirst("\\[\\{.law.*?}]", "[]"), "ledger entry: costs must not be empty");
    refused(good.replace("\"costs\"", "\"cost\""), "ledger entry: costs must be a list");
    refused(good.replace("\"rows\"", "\" \""), "ledger entry: account must not be blank");
    refused(good.replace("\"rows\"", "7"), "ledger entry: account must be a text");
    refused(
        good.replace("\"distance\":", "\"distance\":2,\"x\":"),
        "ledger entry: distance must be in");
    refused(
        good.replace("\"totalBudget\":{\"epsilon\":2.0", "\"totalBudget\":{\"epsilon\":0"),
        "ledger entry: epsilon must be in (0, 100.0]");
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

  /** The rule by which the runbook tells entries from foreign records. */
  @Test
  void anEntryIsALineThatShellToolsKnow() throws IOException {
    Pattern rule = RunbookRules.read().get(0);
    LedgerEntry plain = entry(State.PUBLISHED);
    assertThat(plain.id() + "\t" + plain.toJson()).matches(rule);
    LedgerEntry odd =
        new LedgerEntry(
            new ReleaseId("s", "a \"b\" \\ é", "all", "moments"),
            plain.sha256(),
            State.SPENT,
            plain.series(),
            plain.guarantee(),
            plain.terms());
    assertThat(odd.id() + "\t" + odd.toJson()).matches(rule);
    assertThat(odd.toJson()).doesNotContain("\t", "\n");
    assertThat(plain.toJson()).doesNotMatch(rule);
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
