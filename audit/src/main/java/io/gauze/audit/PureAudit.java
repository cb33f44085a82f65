package io.gauze.audit;

import io.gauze.accounting.Neighbours;
import java.util.List;

/** All audits of a mechanism that is audited against claims of pure epsilon. */
abstract class PureAudit extends MechanismAudit {
  @Override
  final List<Claim> claims() {
    return Claims.pure();
  }

  @Override
  Claim brokenClaim(Neighbours neighbours) {
    return Claims.pure(neighbours);
  }
}
