package io.gauze.regression.twostage;

import io.gauze.linalg.SymmetricMatrix;
import io.gauze.mechanism.twostage.RowTransform;
import io.gauze.payload.MomentNoise;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * The moments G = Z'Z + E of one release, of rows z = T a.
 *
 * @param inverse A = T^-1, its rows in the order of the encoded columns; not changed
 * @param moments G
 * @param noise the law of E
 */
record TransformedMatrix(DMatrixRMaj inverse, SymmetricMatrix moments, MomentNoise.Gaussian noise) {
  static TransformedMatrix of(
      RowTransform transform, SymmetricMatrix moments, MomentNoise.Gaussian noise) {
    DMatrixRMaj places = transform.inverse();
    DMatrixRMaj inverse = new DMatrixRMaj(places.getNumRows(), places.getNumCols());
    for (int place = 0; place < transform.dimension(); place++) {
      for (int j = 0; j < transform.dimension(); j++) {
        inverse.set(transform.order().get(place), j, places.get(place, j));
      }
    }
    return new TransformedMatrix(inverse, moments, noise);
  }

  /** Returns the rows of A of some encoded columns. */
  DMatrixRMaj rows(int... columns) {
    DMatrixRMaj some = new DMatrixRMaj(columns.length, inverse.getNumCols());
    for (int i = 0; i < columns.length; i++) {
      for (int j = 0; j < inverse.getNumCols(); j++) {
        some.set(i, j, inverse.get(columns[i], j));
      }
    }
    return some;
  }

  /** Returns A_s A_s', the shape of the noise in the moments of some encoded columns. */
  DMatrixRMaj shape(int... columns) {
    DMatrixRMaj rows = rows(columns);
    DMatrixRMaj shape = new DMatrixRMaj(columns.length, columns.length);
    CommonOps_DDRM.multTransB(rows, rows, shape);
    return shape;
  }

  /** Returns B G B' for a map B of z, the moments of what it makes of the rows. */
  DMatrixRMaj under(DMatrixRMaj map) {
    DMatrixRMaj all = moments.select(IntStream.range(0, moments.dimension()).toArray());
    return under(map, all);
  }

  /** Returns B M B'. */
  static DMatrixRMaj under(DMatrixRMaj map, DMatrixRMaj matrix) {
    DMatrixRMaj half = new DMatrixRMaj(map.getNumRows(), map.getNumCols());
    DMatrixRMaj result = new DMatrixRMaj(map.getNumRows(), map.getNumRows());
    CommonOps_DDRM.mult(map, matrix, half);
    CommonOps_DDRM.multTransB(half, map, result);
    return result;
  }
}
