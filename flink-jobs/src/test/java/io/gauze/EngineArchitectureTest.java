package io.gauze;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import org.junit.jupiter.api.Test;

/**
 * Packages depend one way: cli on pipeline, solver and local; these on source; none on the command
 * line.
 */
final class EngineArchitectureTest {
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
        .resideInAnyPackage(others);
  }

  private static void holds(ArchRule rule) {
    assertThat(rule.evaluate(MAIN).getFailureReport().getDetails()).isEmpty();
  }

  @Test
  void packagesDependOneWay() {
    String source = "io.gauze.source..";
    String pipeline = "io.gauze.pipeline..";
    String solver = "io.gauze.solver..";
    String local = "io.gauze.local..";
    String cli = "io.gauze.cli..";
    String config = "io.gauze.config..";
    String audit = "io.gauze.audit..";
    holds(independent("config", source, pipeline, solver, local, cli, audit));
    holds(independent("source", config, pipeline, solver, local, cli, audit));
    holds(independent("pipeline", solver, local, cli, audit));
    holds(independent("solver", pipeline, local, cli, audit));
    holds(independent("local", source, pipeline, solver, config, cli, audit));
    holds(SlicesRuleDefinition.slices().matching("io.gauze.(*)..").should().beFreeOfCycles());
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
    assertThat(independent("cli", "io.gauze.pipeline..").evaluate(MAIN).hasViolation()).isTrue();
    assertThat(independent("pipeline", "io.gauze.source..").evaluate(MAIN).hasViolation()).isTrue();
  }
}
