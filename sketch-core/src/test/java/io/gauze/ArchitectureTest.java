package io.gauze;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/**
 * Packages depend one way: solve and audit on release, release on privacy and sketch, these on row,
 * all on internal; none on engine, network or clock.
 */
class ArchitectureTest {
  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.gauze");

  private static ArchRule independent(String name, String... others) {
    return noClasses()
        .that()
        .resideInAPackage("io.gauze." + name + "..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(others)
        .allowEmptyShould(true);
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
  void packagesDependOneWay() {
    String sketch = "io.gauze.sketch..";
    String privacy = "io.gauze.privacy..";
    String release = "io.gauze.release..";
    String solve = "io.gauze.solve..";
    String curator = "io.gauze.curator..";
    String audit = "io.gauze.audit..";
    holds(independent("internal", "io.gauze.row..", sketch, privacy, release, solve, audit));
    holds(independent("row", sketch, privacy, release, solve, curator, audit));
    holds(independent("sketch", privacy, release, solve, curator, audit));
    holds(independent("privacy", sketch, release, solve, curator, audit));
    holds(independent("release", solve, curator, audit));
    holds(independent("solve", curator, audit));
    holds(independent("curator", audit));
    holds(independent("audit", solve, curator));
    holds(SlicesRuleDefinition.slices().matching("io.gauze.(*)..").should().beFreeOfCycles());
  }

  @Test
  void aPlainLibrary() {
    holds(foreign("org.apache.flink..", "org.apache.kafka..", "org.slf4j..", "java.net.."));
    holds(clock());
  }

  /** Rules that could not fail would say nothing: each finds an offence that is there. */
  @Test
  void theRulesFindOffences() {
    assertThat(independent("sketch", "io.gauze.row..").evaluate(MAIN).hasViolation()).isTrue();
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
