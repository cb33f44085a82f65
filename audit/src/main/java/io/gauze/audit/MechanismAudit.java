package io.gauze.audit;

import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.Mechanisms;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * All audits of one mechanism: as shipped, against every claim; with a tenth less noise; with noise
 * for the wrong relation; with the errors that were published about it.
 */
public abstract class MechanismAudit {
  /** The factor by which the noise of a broken variant is too small. */
  private static final double LESS = 1.1;

  /**
   * Several releases of a pure claim reach more than its epsilon: the best events are beyond it.
   */
  private static final double BEYOND = 1.2;

  /** The mechanism's name. */
  public abstract String mechanism();

  /** The size of the noise that is calibrated: a standard deviation, a scale or a ridge. */
  public abstract double noise(Claim claim);

  /**
   * Returns an audit on the claim's worst neighbours.
   *
   * @param variant a description of the variant
   * @param claim the claim
   * @param share the part of the required noise that the variant adds; 1: the mechanism as shipped
   */
  public abstract AuditCase audit(String variant, Claim claim, double share);

  /** Returns audits of published errors and of similar ones. */
  public List<AuditCase> published() {
    return List.of();
  }

  /** The name of {@link #noise} in a word. */
  public String noiseName() {
    return "noise";
  }

  /** The claims against which the mechanism is audited. */
  public List<Claim> claims() {
    return Claims.approximate();
  }

  /** Returns the claim against which too little noise is audited. */
  public Claim brokenClaim(Neighbours neighbours) {
    return Claims.approximate(neighbours);
  }

  /** The relations under which the calibration is exact: a tenth less noise breaks the claim. */
  public List<Neighbours> exact() {
    return List.of(Neighbours.values());
  }

  /**
   * Returns true if noise calibrated for add-remove is too small for replace-one by so much that an
   * audit detects it.
   */
  public boolean relationShows() {
    return true;
  }

  /** Returns whether a release is a model, or made for one. */
  public boolean isForOneResponse() {
    return Mechanisms.models().contains(mechanism());
  }

  /** Returns how many models of the same rows break the claim by so much that an audit sees it. */
  public int restored() {
    return 2;
  }

  /** Returns all cases. Calibrates the mechanism, which may take a second. */
  public final List<AuditCase> cases() {
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
    if (isForOneResponse()) {
      cases.add(releasedAgain());
    }
    cases.addAll(published());
    return cases;
  }

  /** Several models of the same rows, as of a restored job that forgets what it has sent. */
  private AuditCase releasedAgain() {
    Claim claim = brokenClaim(Neighbours.ADD_REMOVE);
    AuditCase again =
        audit("a second noise on the same rows, after a restore", claim, 1.0).times(restored());
    return claim.delta() == 0.0 ? again.withThreshold(BEYOND * claim.epsilon()) : again;
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
