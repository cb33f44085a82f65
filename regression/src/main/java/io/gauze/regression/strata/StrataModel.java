package io.gauze.regression.strata;

import io.gauze.linalg.DoubleVector;
import java.util.List;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * The model of the strata: normal laws, several of which may share a covariance. Column 0 is the
 * constant.
 */
final class StrataModel {
  /**
   * Normal laws with one covariance.
   *
   * @param covariance m x m, positive semidefinite; row and column 0 are 0
   * @param parts the numbers of rows and means in which they differ
   * @param share the mean squared factor by which rows were shortened before they were summed
   */
  record Group(DMatrixRMaj covariance, List<Part> parts, double share) {}

  /**
   * One normal law.
   *
   * @param rows the number of rows that it models, at least 0
   * @param mean of the m columns
   */
  record Part(double rows, DoubleVector mean) {}

  private final List<Group> groups;
  private final int columns;

  StrataModel(List<Group> groups, int columns) {
    this.groups = List.copyOf(groups);
    this.columns = columns;
  }

  List<Group> groups() {
    return groups;
  }

  /** The number of columns m. */
  int columns() {
    return columns;
  }

  double rows() {
    return groups.stream().flatMap(g -> g.parts().stream()).mapToDouble(Part::rows).sum();
  }

  /** Returns the second moments of the shortened rows of a group. */
  static DMatrixRMaj released(Group group) {
    DMatrixRMaj sums = sums(group);
    CommonOps_DDRM.scale(group.share(), sums);
    return sums;
  }

  /** Returns the second moments of all rows of a group, sums: n (S + mean mean'), part by part. */
  private static DMatrixRMaj sums(Group group) {
    int size = group.covariance().getNumRows();
    DMatrixRMaj sums = new DMatrixRMaj(size, size);
    for (Part part : group.parts()) {
      DMatrixRMaj mean = new DMatrixRMaj(part.mean().toArray());
      CommonOps_DDRM.addEquals(sums, part.rows(), group.covariance());
      CommonOps_DDRM.multAddTransB(part.rows(), mean, mean, sums);
    }
    return sums;
  }

  /** Returns the second moments of all rows, sums. */
  DMatrixRMaj sums() {
    DMatrixRMaj sums = new DMatrixRMaj(columns, columns);
    groups.forEach(group -> CommonOps_DDRM.addEquals(sums, sums(group)));
    return sums;
  }
}
