package io.gauze.audit;

import io.gauze.accounting.Neighbours;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * All audits of one mechanism: as shipped, against every claim; with a tenth less noise; with noise
 * for the wrong relation; with the errors that were published about it.
 */
abstract class MechanismAudit {
  /** By what noise is too small. */
  private static final double LESS = 1.1;

  /** The mechanism's name. */
  abstract String mechanism();

  /** What is calibrated: a standard deviation, a scale or a ridge. */
  abstract double noise(Claim claim);

  /**
   * An audit on the claim's worst neighbours.
   *
   * @param share of the noise that the claim takes; 1: the mechanism as shipped
   */
  abstract AuditCase audit(String variant, Claim claim, double share);

  /** Published errors and the like. */
  List<AuditCase> published() {
    return List.of();
  }

  /** What {@link #noise} is, in a word. */
  String noiseName() {
    return "noise";
  }

  /** What the mechanism is audited against. */
  List<Claim> claims() {
    return Claims.approximate();
  }

  /** What too little noise is audited against. */
  Claim brokenClaim(Neighbours neighbours) {
    return Claims.approximate(neighbours);
  }

  /** The relations under which the calibration is exact: a tenth less noise breaks the claim. */
  List<Neighbours> exact() {
    return List.of(Neighbours.values());
  }

  /** Whether noise for add-remove is so much too small for replace-one that it shows. */
  boolean relationShows() {
    return true;
  }

  /** All of them. Calibrates: may take a second. */
  final List<AuditCase> cases() {
    List<AuditCase> cases = new ArrayList<>();
    for (Claim claim : claims()) {
      cases.add(audit("as shipped", claim, 1.0).asSound());
    }
    for (Neighbours neighbours : exact()) {
      cases.add(audit(noiseName() + " / " + LESS, brokenClaim(neighbours), 1.0 / LESS));
    }
    if (relationShows()) {
      cases.add(wrongRelation());
    }
    cases.addAll(published());
    return cases;
  }

  private AuditCase wrongRelation() {
    Claim removed = brokenClaim(Neighbours.ADD_REMOVE);
    Claim replaced = new Claim(removed.epsilon(), removed.delta(), Neighbours.REPLACE_ONE);
    double share = noise(removed) / noise(replaced);
    String variant =
        String.format(Locale.ROOT, "%s for add-remove, %.2f of what it takes", noiseName(), share);
    return audit(variant, replaced, share);
  }
}
