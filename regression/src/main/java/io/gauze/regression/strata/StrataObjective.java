package io.gauze.regression.strata;

import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.Spectrum;
import io.gauze.regression.rows.ExpectedLoss;
import java.util.function.DoubleBinaryOperator;
import org.ejml.data.DMatrixRMaj;

/**
 * The expected loss of the residual over a {@link StrataModel}, as a smooth convex function of the
 * coefficients: {@code sum_k n_k E loss(N(m_k(b), v_k(b)))}, m_k = u'mean_k, v_k = u'S_k u, u = -b
 * at the features and 1 at the response.
 */
final class StrataObjective {
  private static final double WIDE_TOLERANCE = 1e-8;

  /** The largest factor of the floor with which a search is tried. */
  private static final double WIDEST = 1e16;

  private final StrataModel model;
  private final ExpectedLoss loss;
  private final Target target;
  private final double floor;

  /**
   * The positions of features and response among the model's columns.
   *
   * @param features positions
   * @param response position
   * @param penalty the factor of lambda in the ridge of each feature
   * @param centre the coefficients to which the ridge draws
   */
  record Target(DoubleVector features, int response, DoubleVector penalty, DoubleVector centre) {
    int size() {
      return features.size();
    }

    int feature(int k) {
      return (int) features.get(k);
    }
  }

  /**
   * The parts that all objectives of one problem share.
   *
   * @param loss of a residual
   * @param target the positions of features and response
   * @param floor the number that is added to the variance of residuals
   */
  record Maker(ExpectedLoss loss, Target target, double floor) {
    StrataObjective of(StrataModel model) {
      return new StrataObjective(model, loss, target, floor);
    }

    /** Returns a copy whose ridge draws to other coefficients. */
    Maker drawnTo(double... centre) {
      return with(target.penalty(), DoubleVector.of(centre));
    }

    Maker withPenalty(DoubleVector penalty) {
      return with(penalty, target.centre());
    }

    private Maker with(DoubleVector penalty, DoubleVector centre) {
      Target other = new Target(target.features(), target.response(), penalty, centre);
      return new Maker(loss, other, floor);
    }
  }

  /**
   * Creates the objective.
   *
   * @param floor the number that is added to the variance of residuals, so that no kink is left;
   *     positive
   */
  StrataObjective(StrataModel model, ExpectedLoss loss, Target target, double floor) {
    this.model = model;
    this.loss = loss;
    this.target = target;
    this.floor = floor;
  }

  /**
   * The objective around a point.
   *
   * @param value with the penalty
   * @param gradient p entries
   * @param hessian p x p row-major, the upper triangle
   */
  record Around(double value, DoubleVector gradient, DoubleVector hessian) {
    /** Returns the eigenvalues and vectors of the Hessian. */
    Spectrum spectrum() {
      int p = gradient.size();
      DMatrixRMaj matrix = new DMatrixRMaj(p, p);
      for (int i = 0; i < p; i++) {
        for (int j = i; j < p; j++) {
          matrix.set(i, j, hessian.get(i * p + j));
          matrix.set(j, i, hessian.get(i * p + j));
        }
      }
      return Spectrum.of(matrix);
    }
  }

  int size() {
    return target.size();
  }

  /**
   * Returns the minimum, from any start. A narrow normal law has hardly any curvature far from its
   * middle: a search that stalls there starts again with wide ones.
   *
   * @param tolerance the gap at which to stop
   */
  NewtonSearch.Minimum minimum(double lambda, double tolerance, double... start) {
    NewtonSearch.Minimum direct = NewtonSearch.minimise(this, lambda, tolerance, start);
    if (direct.isSolved()) {
      return direct;
    }
    NewtonSearch.Minimum wide = fromWide(lambda, tolerance, start);
    return wide.isSolved() || wide.around().value() < direct.around().value() ? wide : direct;
  }

  private NewtonSearch.Minimum fromWide(double lambda, double tolerance, double... start) {
    double factor = 100.0;
    NewtonSearch.Minimum found =
        NewtonSearch.minimise(widened(factor), lambda, WIDE_TOLERANCE, start);
    while (!found.isSolved() && factor < WIDEST) {
      factor *= 100.0;
      found = NewtonSearch.minimise(widened(factor), lambda, WIDE_TOLERANCE, start);
    }
    for (factor *= 0.1; factor > 5.0; factor *= 0.1) {
      double[] b = found.b().toArray();
      found = NewtonSearch.minimise(widened(factor), lambda, WIDE_TOLERANCE, b);
    }
    return NewtonSearch.minimise(this, lambda, tolerance, found.b().toArray());
  }

  private StrataObjective widened(double factor) {
    return new StrataObjective(model, loss, target, factor * floor);
  }

  /** Returns the value without penalty. */
  double loss(double... b) {
    return sum((mean, variance) -> loss.at(mean, variance).value(), b);
  }

  /** Returns the curvature: the mean over rows of the loss's second derivative. */
  double curvature(double... b) {
    return sum((mean, variance) -> loss.at(mean, variance).second(), b) / model.rows();
  }

  /** Returns the mean over rows of the squared derivative of the loss. */
  double scoreSquare(double... b) {
    return sum(loss::scoreSquare, b) / model.rows();
  }

  private double sum(DoubleBinaryOperator ofMeanAndVariance, double... b) {
    double[] u = weights(b);
    double sum = 0.0;
    for (StrataModel.Group group : model.groups()) {
      double variance = floor + DoubleVector.dot(u, image(group.covariance(), u));
      for (StrataModel.Part part : group.parts()) {
        sum += part.rows() * ofMeanAndVariance.applyAsDouble(part.mean().dot(u), variance);
      }
    }
    return sum;
  }

  /** Returns value, gradient and Hessian with a ridge. O(parts p^2) time. */
  Around around(double lambda, double... b) {
    Sums sums = new Sums(lambda, b);
    double[] u = weights(b);
    for (StrataModel.Group group : model.groups()) {
      sums.add(group, u);
    }
    return new Around(sums.value, DoubleVector.of(sums.gradient), DoubleVector.of(sums.hessian));
  }

  private double[] weights(double... b) {
    double[] u = new double[model.columns()];
    u[target.response()] = 1.0;
    for (int k = 0; k < b.length; k++) {
      u[target.feature(k)] = -b[k];
    }
    return u;
  }

  private static double[] image(DMatrixRMaj matrix, double... u) {
    double[] image = new double[u.length];
    for (int i = 0; i < u.length; i++) {
      for (int j = 0; j < u.length; j++) {
        image[i] += matrix.get(i, j) * u[j];
      }
    }
    return image;
  }

  /** Running sums over the groups. */
  private final class Sums {
    private double value;
    private final double[] gradient = new double[target.size()];
    private final double[] hessian = new double[target.size() * target.size()];

    Sums(double lambda, double... b) {
      for (int k = 0; k < b.length; k++) {
        double weight = lambda * target.penalty().get(k);
        double apart = b[k] - target.centre().get(k);
        value += weight * apart * apart;
        gradient[k] = 2.0 * weight * apart;
        hessian[k * b.length + k] = 2.0 * weight;
      }
    }

    // In b: dm = -x, x the features' means; dv = -2 s, s = (S u) at the features; d2v = 2 S.
    // By the heat equation loss_v = loss_mm / 2, loss_mv = loss_mmm / 2, loss_vv = loss_mmmm / 4:
    //   gradient: -loss_m x - loss_mm s
    //   Hessian:  loss_mm (x x' + S) + loss_mmm (x s' + s x') + loss_mmmm s s'.
    void add(StrataModel.Group group, double... u) {
      double[] s = image(group.covariance(), u);
      double variance = floor + DoubleVector.dot(u, s);
      double bend = 0.0;
      double quartic = 0.0;
      for (StrataModel.Part part : group.parts()) {
        ExpectedLoss.Derivatives at = loss.at(part.mean().dot(u), variance);
        value += part.rows() * at.value();
        addPart(part, at, s);
        bend += part.rows() * at.second();
        quartic += part.rows() * at.fourth();
      }
      int p = gradient.length;
      for (int i = 0; i < p; i++) {
        int row = target.feature(i);
        gradient[i] -= bend * s[row];
        for (int j = i; j < p; j++) {
          int column = target.feature(j);
          hessian[i * p + j] +=
              bend * group.covariance().get(row, column) + quartic * s[row] * s[column];
        }
      }
    }

    private void addPart(StrataModel.Part part, ExpectedLoss.Derivatives at, double... s) {
      int p = gradient.length;
      double second = part.rows() * at.second();
      double third = part.rows() * at.third();
      for (int i = 0; i < p; i++) {
        double xi = part.mean().get(target.feature(i));
        double si = s[target.feature(i)];
        gradient[i] -= part.rows() * at.first() * xi;
        for (int j = i; j < p; j++) {
          double xj = part.mean().get(target.feature(j));
          double sj = s[target.feature(j)];
          hessian[i * p + j] += second * xi * xj + third * (xi * sj + si * xj);
        }
      }
    }
  }
}
