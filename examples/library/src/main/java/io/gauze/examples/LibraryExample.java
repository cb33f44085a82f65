package io.gauze.examples;

import io.gauze.regression.FitOutcome;
import io.gauze.regression.Regression;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.rows.ExactMoments;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowHasher;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import io.gauze.sketch.SecondMoments;
import io.gauze.sketch.SecondMomentsSpec;
import io.gauze.sketch.SketchUpdater;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;

/** Two exact sketches, built, merged and fitted. It adds no noise: its output is not private. */
public final class LibraryExample {
  private LibraryExample() {}

  /** Prints the intercept, and the pay of an hour. */
  public static void main(String... args) throws RowRejectedException {
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
  }
}
