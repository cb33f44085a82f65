package io.gauze;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Packages lie on floors, and none needs Flink or a broker. */
final class ServiceArchitectureTest {
  /** From the lowest floor to the highest; below them are the packages of the library. */
  private static final List<String> FLOORS =
      List.of("plot", "fit", "topic", "report", "answer", "http.protocol", "http.resource", "http");

  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPath(Path.of("target", "classes"));

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
    holds(independent("topic", List.of("fit")));
  }

  @Test
  void neitherFlinkNorABrokerNorTheCommandLine() {
    holds(
        foreign(
            "org.apache.flink..",
            "kafka..",
            "org.apache.kafka.server..",
            "org.apache.kafka.metadata..",
            "picocli.."));
  }

  /** Rules that could not fail would say nothing: each finds an offence that is there. */
  @Test
  void theRulesFindOffences() {
    assertThat(independent("report", List.of("fit")).evaluate(MAIN).hasViolation()).isTrue();
    assertThat(foreign("org.apache.kafka.clients..").evaluate(MAIN).hasViolation()).isTrue();
  }
}
