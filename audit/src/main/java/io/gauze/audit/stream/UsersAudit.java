package io.gauze.audit.stream;

import io.gauze.accounting.Neighbours;
import io.gauze.audit.AdditiveTrial;
import io.gauze.audit.AuditCase;
import io.gauze.audit.Claim;
import io.gauze.audit.Claims;
import io.gauze.audit.MechanismAudit;
import io.gauze.audit.Plans;
import io.gauze.audit.moments.CountSketchAudit;
import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.moments.NoisyCountSketch;
import java.util.Arrays;
import java.util.List;

/** Audits all rows of a user, which a hash puts into one bucket under signs that add them up. */
public final class UsersAudit extends MechanismAudit {
  private static final int ROWS = 4;
  private static final BudgetScope USER = BudgetScope.users("user", ROWS);

  @Override
  public String mechanism() {
    return "users";
  }

  @Override
  public double noise(Claim claim) {
    return planned(claim).sigma();
  }

  private static NoisyCountSketch planned(Claim claim) {
    return (NoisyCountSketch) Plans.oneBucket(claim, stream -> stream.withScope(USER));
  }

  @Override
  public AuditCase audit(String variant, Claim claim, double share) {
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
  public List<AuditCase> published() {
    Claim claim = Claims.approximate(Neighbours.ADD_REMOVE);
    return List.of(
        audit("noise for one row of a user", claim, 1.0 / ROWS),
        audit("rows of a user taken for independent", claim, 1.0 / Math.sqrt(ROWS)));
  }
}
