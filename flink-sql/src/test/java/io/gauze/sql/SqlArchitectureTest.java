package io.gauze.sql;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import io.gauze.answer.ReleaseHash;
import io.gauze.answer.ReleaseRange;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** SQL asks and answers, without the service, the jobs and their clients. */
final class SqlArchitectureTest {
  private static final Set<String> SHARED =
      Set.of(ReleaseHash.class.getName(), ReleaseRange.class.getName());

  private static final JavaClasses MAIN =
      new ClassFileImporter().importPath(Path.of("target", "classes"));

  private static ArchRule foreign(String... packages) {
    return noClasses()
        .should()
        .dependOnClassesThat(
            JavaClass.Predicates.resideInAnyPackage(packages)
                .and(
                    DescribedPredicate.describe(
                        "are not in the jar", type -> !SHARED.contains(type.getName()))));
  }

  @Test
  void allIsInOnePackage() {
    assertThat(MAIN).isNotEmpty();
    classes().should().resideInAPackage("io.gauze.sql").check(MAIN);
  }

  /** What the jar leaves out. */
  @Test
  void neitherTheServiceNorClientsNorFlinksInside() {
    foreign(
            "io.gauze.http..",
            "io.gauze.topic..",
            "io.gauze.answer..",
            "com.fasterxml..",
            "org.apache.kafka..",
            "org.apache.flink.runtime..",
            "org.apache.flink.table.planner..",
            "org.apache.flink.table.runtime..")
        .check(MAIN);
  }

  /** A rule that could not fail would say nothing. */
  @Test
  void theRuleFindsOffences() {
    assertThat(foreign("io.gauze.fit..").evaluate(MAIN).hasViolation()).isTrue();
  }
}
