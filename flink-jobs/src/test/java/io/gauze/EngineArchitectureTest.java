package io.gauze;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Packages lie on floors, and each depends on lower floors only. */
final class EngineArchitectureTest {
  /** From the lowest floor to the highest; below them are those of the library and the service. */
  private static final List<String> FLOORS =
      List.of(
          "source",
          "source.json",
          "source.avro",
          "source.file",
          "source.format",
          "kafka",
          "config",
          "stream",
          "publish",
          "pipeline",
          "pipeline.read",
          "pipeline.again",
          "pipeline.seal",
          "job",
          "solver",
          "local",
          "summary",
          "cli.option",
          "cli.rows",
          "cli.flink",
          "cli.release",
          "cli",
          "demo");

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

  private static void holds(ArchRule rule) {
    assertThat(rule.evaluate(MAIN).getFailureReport().getDetails()).isEmpty();
  }

  @Test
  void everyPackageHasAFloor() {
    Path classes = Path.of("target", "classes");
    assertThat(new ClassFileImporter().importPath(classes).stream().map(JavaClass::getPackageName))
        .isSubsetOf(
            Stream.concat(Stream.of("io.gauze"), FLOORS.stream().map(name -> "io.gauze." + name))
                .toList());
  }

  @Test
  void packagesDependOneWay() {
    for (int floor = 0; floor < FLOORS.size(); floor++) {
      holds(independent(FLOORS.get(floor), FLOORS.subList(floor + 1, FLOORS.size())));
    }
    holds(independent("solver", List.of("publish", "pipeline", "job")));
  }

  @Test
  void onlyTheLocalPackageRunsABrokerOrACluster() {
    ArchRule rule =
        noClasses()
            .that()
            .resideOutsideOfPackage("io.gauze.local..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "kafka..", "org.apache.kafka.server..", "org.apache.flink.runtime.minicluster..");
    holds(rule);
  }

  /** A rule that could not fail would say nothing. */
  @Test
  void theRulesFindOffences() {
    assertThat(independent("cli", List.of("job")).evaluate(MAIN).hasViolation()).isTrue();
    assertThat(independent("pipeline.read", List.of("source")).evaluate(MAIN).hasViolation())
        .isTrue();
  }
}
