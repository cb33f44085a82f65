package io.gauze.audit.model;

import io.gauze.accounting.Neighbours;
import io.gauze.audit.PureAudit;
import java.util.List;

/** All audits of a perturbed objective. */
public abstract class ObjectiveAudit extends PureAudit {
  /** A part of epsilon is for the determinant, so that a tenth less noise does not show. */
  @Override
  public final List<Neighbours> exact() {
    return List.of();
  }
}
