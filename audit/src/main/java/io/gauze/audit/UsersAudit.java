package io.gauze.audit;

import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.NoisyCountSketch;
import java.util.Arrays;
import java.util.List;

/** Audits all rows of a user, which a hash puts into one bucket under signs that add them up. */
final class UsersAudit extends MechanismAudit {
  private static final int ROWS = 4;
  private static final BudgetScope USER = BudgetScope.users("user", ROWS);

  @Override
  String mechanism() {
    return "users";
  }

  @Override
  double noise(Claim claim) {
    return planned(claim).sigma();
  }

  private static NoisyCountSketch planned(Claim claim) {
    return (NoisyCountSketch) Plans.oneBucket(claim, stream -> stream.withScope(USER));
  }

  @Override
  AuditCase audit(String variant, Claim claim, double share) {
    NoisyCountSketch mechanism = CountSketchAudit.scaled(planned(claim), share);
    long[] first = times(Plans.worst(claim, false));
    long[] second = times(Plans.worst(claim, true));
    return AuditCase.of(
        mechanism(), variant, claim, () -> AdditiveTrial.of(first, second, mechanism));
  }

  private static long[] times(long[] row) {
    return Arrays.stream(row).map(entry -> ROWS * entry).toArray();
  }

  @Override
  List<AuditCase> published() {
    Claim claim = Claims.approximate(Neighbours.ADD_REMOVE);
    return List.of(
        audit("noise for one row of a user", claim, 1.0 / ROWS),
        audit("rows of a user taken for independent", claim, 1.0 / Math.sqrt(ROWS)));
  }
}
