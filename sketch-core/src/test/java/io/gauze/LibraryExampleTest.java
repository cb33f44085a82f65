package io.gauze;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.regression.ExactMoments;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.Regression;
import io.gauze.regression.RegressionProblem;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowHasher;
import io.gauze.row.RowSchema;
import io.gauze.sketch.SecondMoments;
import io.gauze.sketch.SecondMomentsSpec;
import io.gauze.sketch.SketchUpdater;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The example of the README, which is these lines. */
class LibraryExampleTest {
  private static final Path SOURCE = Path.of("src/test/java/io/gauze/LibraryExampleTest.java");
  private static final Path README = Path.of("../README.md");

  @Test
  void buildsMergesDeletesAndSolves() throws Exception {
    // example: begin
    var columns = List.of(new NumericColumn("hours", 0, 60), new NumericColumn("pay", 0, 3000));
    var schema = RowSchema.of(columns, 1.0);
    var hasher = RowHasher.create(new SecureRandom()::nextLong); // secret, shared by both sketches
    var monday = SecondMoments.create(new SecondMomentsSpec(schema.dimension()));
    var tuesday = monday.copy();
    var updates = new SketchUpdater(schema, hasher, monday);
    updates.insert("ann", Map.of("hours", 38, "pay", 1400));
    updates.insert("bob", Map.of("hours", 20, "pay", 800));
    updates.insert("cem", Map.of("hours", 30, "pay", 2999));
    updates = new SketchUpdater(schema, hasher, tuesday);
    updates.delete("cem", Map.of("hours", 30, "pay", 2999));
    updates.insert("dot", Map.of("hours", 45, "pay", 1700));
    monday.merge(tuesday);
    var fit = Regression.fit(ExactMoments.of(monday, schema), RegressionProblem.of(schema, "pay"));
    System.out.println(((FitOutcome.Fitted) fit).fit().inUserUnits(schema).estimates());
    // example: end
    var estimates = ((FitOutcome.Fitted) fit).fit().inUserUnits(schema).estimates();
    // by hand: the line through (38, 1400), (20, 800), (45, 1700)
    assertThat(estimates.get(1)).isCloseTo(35.471, within(0.05));
    assertThat(estimates.get(0)).isCloseTo(82.16, within(2.0));
  }

  @Test
  void standsInTheReadme() throws IOException {
    List<String> source = Files.readAllLines(SOURCE).stream().map(String::strip).toList();
    List<String> example =
        source.subList(source.indexOf("// example: begin") + 1, source.indexOf("// example: end"));
    List<String> readme = Files.readAllLines(README).stream().map(String::strip).toList();
    assertThat(example).hasSizeGreaterThan(10);
    assertThat(readme).containsSubsequence(example);
  }
}
