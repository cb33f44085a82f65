package io.gauze.audit;

import io.gauze.accounting.Neighbours;
import java.util.List;

/** All audits of a mechanism that is audited against claims of pure epsilon. */
public abstract class PureAudit extends MechanismAudit {
  @Override
  public final List<Claim> claims() {
    return Claims.pure();
  }

  @Override
  public Claim brokenClaim(Neighbours neighbours) {
    return Claims.pure(neighbours);
  }
}
