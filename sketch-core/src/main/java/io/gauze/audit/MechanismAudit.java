package io.gauze.audit;

import java.util.List;

/** All audits of one mechanism. */
interface MechanismAudit {
  /** The mechanism's name, as in config files. */
  String mechanism();

  /** The mechanism as shipped, then its broken variants. Calibrates: may take a second. */
  List<AuditCase> cases();
}
