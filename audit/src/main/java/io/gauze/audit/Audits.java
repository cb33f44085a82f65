package io.gauze.audit;

import io.gauze.row.NearestName;
import java.util.ArrayList;
import java.util.List;

/** The list of audited mechanisms. A new mechanism is a new file and a line here. */
public final class Audits {
  private static final List<MechanismAudit> ALL =
      List.of(
          new GaussianAudit(),
          new LaplaceAudit(),
          new NoisyMomentsAudit(),
          new StratifiedMomentsAudit(),
          new ResidualStrataAudit(),
          new FunctionalAudit(),
          new WishartAudit(),
          new InverseWishartAudit(),
          new MomentProjectionAudit(),
          new StreamedProjectionAudit(),
          new AdaptiveRidgeProjectionAudit(),
          new AdaSspAudit(),
          new SelectFitAudit(),
          HuberAudit.ofHuber(),
          HuberAudit.ofQuantile(),
          new HuberTrackAudit(),
          new IrlsTrackAudit(),
          new LogisticAudit(),
          new IrlsAudit(),
          new SquaresAudit(),
          new FrankWolfeAudit(),
          new ThresholdingAudit(false),
          new ThresholdingAudit(true),
          new CountSketchAudit(),
          new MultilevelAudit(),
          new HistogramAudit(),
          new RangesAudit(),
          new ContinualAudit(),
          new UsersAudit(),
          new SnapshotsAudit(),
          new CheckpointLeaksAudit());

  private Audits() {}

  /** The names of the audited mechanisms. */
  public static List<String> mechanisms() {
    return ALL.stream().map(MechanismAudit::mechanism).toList();
  }

  /** Returns all cases of all mechanisms. Calibrates them, which takes a second. */
  public static List<AuditCase> all() {
    List<AuditCase> cases = new ArrayList<>();
    ALL.forEach(audit -> cases.addAll(audit.cases()));
    return cases;
  }

  /**
   * Returns the cases of one mechanism: as shipped, then broken.
   *
   * @throws IllegalArgumentException if there is no such mechanism; the message names the nearest
   */
  public static List<AuditCase> of(String mechanism) {
    for (MechanismAudit audit : ALL) {
      if (audit.mechanism().equals(mechanism)) {
        return audit.cases();
      }
    }
    throw NearestName.unknown("mechanism", mechanism, mechanisms());
  }
}
