package io.gauze;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Packages lie on floors, and each depends on lower floors only; none depends on an engine, the
 * network or a clock.
 */
class ArchitectureTest {
  /** From the lowest floor to the highest. */
  private static final List<String> FLOORS =
      List.of(
          "internal",
          "message",
          "row",
          "linalg",
          "accounting.loss",
          "accounting",
          "noise",
          "sketch",
          "model",
          "model.track",
          "payload",
          "mechanism",
          "mechanism.moments",
          "mechanism.model",
          "mechanism.select",
          "mechanism.ranges",
          "mechanism.twostage",
          "mechanism.descent",
          "mechanism.papers",
          "plan",
          "release",
          "ledger",
          "regression.quantile",
          "regression",
          "regression.rows",
          "regression.moments",
          "regression.select",
          "regression.strata",
          "regression.twostage",
          "regression.histogram",
          "regression.papers",
          "regression.model",
          "regression.advice",
          "audit",
          "audit.moments",
          "audit.stream",
          "audit.model",
          "audit.select",
          "audit.twostage",
          "audit.papers");

  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("io.gauze");

  private static ArchRule independent(String name, List<String> others) {
    return noClasses()
        .that()
        .resideInAPackage("io.gauze." + name)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            others.stream().map(other -> "io.gauze." + other).toArray(String[]::new));
  }

  private static ArchRule foreign(String... packages) {
    return noClasses().should().dependOnClassesThat().resideInAnyPackage(packages);
  }

  private static ArchRule clock() {
    return noClasses()
        .should()
        .dependOnClassesThat()
        .areAssignableTo(Clock.class)
        .orShould()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(System.class, "nanoTime");
  }

  private static void holds(ArchRule rule) {
    assertThat(rule.evaluate(MAIN).getFailureReport().getDetails()).isEmpty();
  }

  @Test
  void everyPackageHasAFloor() {
    assertThat(MAIN.stream().map(type -> type.getPackageName().substring("io.gauze.".length())))
        .isSubsetOf(FLOORS);
  }

  @Test
  void packagesDependOneWay() {
    for (int floor = 0; floor < FLOORS.size(); floor++) {
      holds(independent(FLOORS.get(floor), FLOORS.subList(floor + 1, FLOORS.size())));
    }
    holds(independent("ledger", List.of("audit..", "regression..")));
    holds(independent("regression..", List.of("audit..", "ledger")));
    holds(independent("audit..", List.of("ledger", "regression..")));
  }

  @Test
  void aPlainLibrary() {
    holds(foreign("org.apache.flink..", "org.apache.kafka..", "org.slf4j..", "java.net.."));
    holds(clock());
  }

  /** Rules that could not fail would say nothing: each finds an offence that is there. */
  @Test
  void theRulesFindOffences() {
    assertThat(independent("sketch", List.of("row")).evaluate(MAIN).hasViolation()).isTrue();
    assertThat(foreign("java.math..").evaluate(MAIN).hasViolation()).isTrue();
    JavaClasses offender = new ClassFileImporter().importClasses(Offender.class);
    assertThat(foreign("java.net..").evaluate(offender).hasViolation()).isTrue();
    assertThat(clock().evaluate(offender).getFailureReport().getDetails()).hasSize(5);
  }

  /** Uses what the library must not. */
  @SuppressWarnings({"unused", "JavaTimeDefaultTimeZone", "TimeZoneUsage", "UnusedMethod"})
  private static final class Offender {
    private static final URI HOME = URI.create("http://localhost");

    private static Instant now() {
      return Instant.now();
    }

    private static long millis() {
      return System.currentTimeMillis();
    }

    private static long nanos() {
      return System.nanoTime();
    }

    private static Instant clock() {
      return Clock.systemUTC().instant();
    }
  }
}
