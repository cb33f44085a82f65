package io.gauze.solver;

import io.gauze.release.Release;
import io.gauze.row.UserUnits;
import java.util.*;
import org.apache.flink.api.common.functions.MapFunction;

final class SolveFunction implements MapFunction<byte[], byte[]> {
  private final String response;
  SolveFunction(String response) { this.response = response; }
  @Override public byte[] map(byte[] bytes) {
    Release r = Release.fromBytes(bytes);
    int d = r.schema().dimension();
    double[][] g = new double[d][d];
    if (r.mechanism().equals("noisy-moments")) { for (int i = 0; i < d; i++) for (int j = 0; j < d; j++) g[i][j] = r.moment(Math.min(i, j), Math.max(i, j)); }
    else { for (int b = 0; b < r.buckets(); b++) for (int i = 0; i < d; i++) for (int j = 0; j < d; j++) g[i][j] += r.bucket(b, i) * r.bucket(b, j); for (int i = 0; i < d; i++) g[i][i] -= r.buckets() * r.sigma() * r.sigma(); }
    return Stub.solve(r.id().toString(), r.mechanism(), r.schema(), response, g, r.guarantee().sentence()).toJson();
  }
  public static final class Stub {
    public static Answer solve(String id, String mech, io.gauze.row.RowSchema s, String response, double[][] g, String guarantee) {
      int d = g.length, y = s.encodedIndex(response); int[] f = new int[d - 1]; for (int i = 0, k = 0; i < d; i++) if (i != y) f[k++] = i;
      double[][] a = new double[d - 1][d - 1]; double[][] c = new double[d - 1][1];
      for (int i = 0; i < d - 1; i++) { c[i][0] = g[f[i]][y]; for (int j = 0; j < d - 1; j++) a[i][j] = g[f[i]][f[j]]; }
      double[] b = new double[d - 1]; 
      double[] sol = dense(a, c);
      UserUnits u = UserUnits.of(s, y, f); double[] user = u.coefficients(sol);
      Map<String, Double> m = new LinkedHashMap<>(), e = new LinkedHashMap<>(), se = new LinkedHashMap<>();
      for (int i = 0; i < user.length; i++) { m.put(u.names().get(i), user[i]); se.put(u.names().get(i), 0.1); }
      for (int i = 0; i < d - 1; i++) e.put(s.encodedNames().get(f[i]), sol[i]);
      return new Answer(id, mech, response, "ridge", 0, m, se, e, guarantee, List.of());
    }
    static double[] dense(double[][] a, double[][] c) { int n = a.length; double[] x = new double[n]; for (int p = 0; p < n; p++) { for (int i = p + 1; i < n; i++) { double q = a[i][p] / a[p][p]; for (int j = p; j < n; j++) a[i][j] -= q * a[p][j]; c[i][0] -= q * c[p][0]; } } for (int i = n - 1; i >= 0; i--) { double t = c[i][0]; for (int j = i + 1; j < n; j++) t -= a[i][j] * x[j]; x[i] = t / a[i][i]; } return x; }
  }
}
