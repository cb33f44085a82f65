# Makes steps-noise.csv: the noise of mechanisms that draw and step on exact moments; Python 3.11, numpy 2.4, scipy 1.17.
# Columns: mechanism (select-fit-rows: select-fit on rows that are read again), neighbours, columns (the last is the
# response), intercept c0, row bound B, epsilon, delta, steps or rounds, entries that are drawn or kept, model theta (its
# last entry, the others are 0), and three results, 0 where a mechanism has none: the scale of a draw (Gumbel's), the
# deviation in the gradient or the moments, the deviation in the curvature; all in the encoded scale squared.
#   sensitivities   the largest change that a search over rows finds; a replaced row moves by twice the change of a row,
#                   a bound that a search over pairs never exceeds ("steps_noise.py search" shows what it reaches)
#   Gaussian noise  the loss of all parts by quadrature
#   draws           the least mu whose trade-off curve is below those of all two-point laws of the range, by search
# The rest is the composition as it is: for each line the delta of all parts together, draws as two-point laws and the
# worst of them, is summed and integrated, and must not be above the budget's.
import math, sys
import numpy as np
from scipy import optimize, special, stats
from irls_noise import gaussian_delta, root

RNG = np.random.default_rng(7)

def largest(goal, size, tries=24):
    best = 0.0
    for _ in range(tries):
        x = RNG.normal(size=size)
        for _ in range(3):
            x = optimize.minimize(lambda z: -goal(z), x, method='Nelder-Mead', options={'maxfev': 12000, 'maxiter': 12000, 'xatol': 1e-12, 'fatol': 1e-15, 'adaptive': True}).x
        best = max(best, goal(x))
    return best

class Rows:  # (u, y) with |(u, y)| <= B, |u_j| <= 1, |u_0| <= c0, |y| <= 1
    def __init__(self, columns, c0, bound):
        self.n, self.ends, self.bound = columns + 1, np.array([c0] + [1.0]*columns), bound
    def row(self, z):
        a = np.clip(z, -self.ends, self.ends)
        return a*min(1.0, self.bound/max(1e-9, np.linalg.norm(a)))
    def gradient(self, z, theta):
        a = self.row(z)
        return a[:-1]*(a[-1] - a[:-1] @ theta)
    def entry(self, theta): return largest(lambda z: np.abs(self.gradient(z, theta)).max(), self.n)
    def entries(self, kept, theta):  # of the intercept and any others
        def goal(z):
            g = self.gradient(z, theta)**2
            return math.sqrt(g[0] + np.sort(g[1:])[::-1][:kept].sum())
        return largest(goal, self.n)
    def curvature(self, moments, others):  # the largest sum of sizes of a feature's moments with itself and others
        m = np.abs(moments)
        d = np.diag(m).copy()
        np.fill_diagonal(m, 0)
        return (d + np.sort(m, axis=1)[:, ::-1][:, :others].sum(axis=1)).max()
    def steps(self, others):
        return largest(lambda z: self.curvature(np.outer(self.row(z)[:-1], self.row(z)[:-1]), others), self.n)
    def moments(self, kept):  # of the intercept, the response and any others
        def goal(z):
            a = self.row(z)
            return a[0]**2 + a[-1]**2 + np.sort(a[1:-1]**2)[::-1][:kept].sum()
        return largest(goal, self.n)

class Few:  # intercept, k columns and response of rows that are shortened to bounds of their own
    def __init__(self, columns, c0, bound, k):
        v = min(1/9, (bound**2 - c0**2)/1.3/columns)  # expected mean square
        self.k, self.c0, self.most, self.end = k, c0, math.sqrt(c0**2 + k*v), 1.0
        if self.most**2 + 1 > bound**2: self.end = min(1.0, bound/math.sqrt(2))
        self.most = min(self.most, math.sqrt(bound**2 - self.end**2))
    def row(self, z):
        u = np.clip(z[:-1], [-self.c0] + [-1.0]*self.k, [self.c0] + [1.0]*self.k)
        w = min(1.0, self.most/max(1e-9, np.linalg.norm(u)))
        return np.append(w*u, np.clip(w*np.clip(z[-1], -1, 1), -self.end, self.end))
    def moments(self): return largest(lambda z: (self.row(z)**2).sum(), self.k + 2)

def two_points(r, u):  # masses of the losses r - u and -u, u in (0, r)
    q = -math.expm1(-u)/-math.expm1(-r)
    return math.exp(r - u)*q, math.exp(-u)*(1 - q)

def mu_of_range(r):  # the largest distance of normal quantiles at logits that are r apart
    f = lambda t: special.ndtri(special.expit(t + r/2)) - special.ndtri(special.expit(t - r/2))
    return max(f(t) for t in np.linspace(-3, 3, 601))

def range_of_mu(mu):
    return optimize.brentq(lambda r: mu_of_range(r) - mu, mu/3, 3*mu, xtol=1e-15, rtol=1e-14)

def together(eps, mu, draws, r):  # the delta of a Gaussian mechanism and draws
    worst = 0.0
    for u in np.linspace(0.02, 0.98, 49)*r if draws else [0.0]:
        high, low = two_points(r, u) if draws else (1.0, 0.0)
        total = 0.0
        for k in range(draws + 1):
            mass = stats.binom.pmf(k, draws, high/(high + low)) if draws else 1.0
            left = eps - (k*r - draws*u)
            total += mass*(gaussian_delta(mu, left) if mu > 0 else max(0.0, -math.expm1(left)))
        worst = max(worst, total)
    return worst

def draws_share(columns, kept):  # the least one, as for many rows
    return max(0.12, 0.3*(1 - kept/(columns - 1)))

def line(mechanism, neighbours, columns, c0, bound, eps, delta, steps, kept, theta):
    rows = Rows(columns, c0, bound)
    twice = 1.0 if neighbours == 'add-remove' else 2.0
    model = np.zeros(columns); model[-1] = theta
    mu = root(lambda m: gaussian_delta(m, eps), delta, 1e-3, 30)
    square, draws, r = 0.0, 0, 0.0
    score = gradient = curvature = 0.0
    if mechanism == 'frank-wolfe':
        draws, r = steps, range_of_mu(mu/math.sqrt(steps))
        score = 2*twice*rows.entry(model)/r
    elif mechanism == 'select-fit':
        draws, r = kept, range_of_mu(mu*math.sqrt(draws_share(columns, kept)/kept))
        score = 2*twice*rows.entry(model)/r
        square = (1 - draws_share(columns, kept))*mu*mu
        gradient = rows.moments(kept)*math.sqrt(twice)/(mu*math.sqrt(1 - draws_share(columns, kept) - (0 if steps == 1 else 0.05)))
    elif mechanism == 'select-fit-rows':
        draws, r = kept, range_of_mu(mu*math.sqrt(draws_share(columns, kept)/kept))
        score = 2*twice*rows.entry(model)/r  # of two entries of a row of norm B, clamped to [-1, 1]
        square = (1 - draws_share(columns, kept))*mu*mu
        gradient = Few(columns, c0, bound, kept).moments()*math.sqrt(twice)/(mu*math.sqrt(1 - draws_share(columns, kept) - (0 if steps == 1 else 0.05)))
    else:
        each = 0.96*mu*mu/steps
        if mechanism == 'peeling':
            draws, r = steps*kept, range_of_mu(math.sqrt(each/2/kept))
            score = 2*twice*rows.entry(model)/r
            each /= 2
        square = 0.04*mu*mu + steps*each
        gradient = twice*rows.entries(kept if draws else columns, model)/math.sqrt(each)
        curvature = twice*rows.steps(min(2*kept, columns - 1))/(mu*math.sqrt(0.04))
    spent = together(eps, math.sqrt(square), draws, r)
    if not spent <= delta*(1 + 1e-9): print('above the budget:', spent, file=sys.stderr)
    print('%s,%s,%d,%g,%g,%g,%g,%d,%d,%g,%.10g,%.10g,%.10g' % (mechanism, neighbours, columns, c0, bound, eps, delta, steps, kept, theta, score, gradient, curvature), flush=True)
    print('%s %s: delta of all parts together %.3g of %g' % (mechanism, neighbours, spent, delta), file=sys.stderr)

def search():  # over pairs of rows: what they reach of twice the change of one row
    for c0, bound in [(0.5, 0.9), (0.25, 2.25)]:
        for theta in [0.0, 0.8]:
            rows, model = Rows(4, c0, bound), np.array([0, 0, 0, theta])
            n = rows.n
            both = lambda z, f: f(z[:n]) - f(z[n:])
            print(bound, theta,
                  'entry %.4f' % (largest(lambda z: np.abs(both(z, lambda x: rows.gradient(x, model))).max(), 2*n)/2/rows.entry(model)),
                  'entries %.4f' % (largest(lambda z: np.linalg.norm(both(z, lambda x: rows.gradient(x, model))), 2*n)/2/rows.entries(3, model)),
                  'curvature %.4f' % (largest(lambda z: rows.curvature(both(z, lambda x: np.outer(rows.row(x)[:-1], rows.row(x)[:-1])), 3), 2*n)/2/rows.steps(3)),
                  'moments %.4f' % (largest(lambda z: np.linalg.norm(both(z, lambda x: np.outer(rows.row(x), rows.row(x)))), 2*n)/math.sqrt(2)/rows.moments(3)))

if __name__ == '__main__':
    if len(sys.argv) > 1: search(); sys.exit()
    print('# Noise of draws and steps: mechanism,neighbours,columns,intercept,rowBound,epsilon,delta,steps,kept,theta,score,gradient,curvature. Made by steps_noise.py.')
    for c0, bound in [(0.5, 0.9), (0.25, 2.25)]:  # the bound of the norm alone; that of the entries alone
        for neighbours, theta in [('add-remove', 0.8), ('replace-one', 0.0)]:
            line('frank-wolfe', neighbours, 5, c0, bound, 1, 1e-6, 25, 1, theta)
            line('iht', neighbours, 5, c0, bound, 0.5, 1e-6, 6, 2, theta)
            line('peeling', neighbours, 5, c0, bound, 1, 1e-8, 6, 2, theta)
            line('select-fit', neighbours, 6, c0, bound, 1, 1e-6, 1, 3, 0.0)
            line('select-fit', neighbours, 6, c0, bound, 3, 1e-5, 2, 4, 0.0)
            line('select-fit-rows', neighbours, 6, c0, bound, 1, 1e-6, 1, 3, 0.0)
            line('select-fit-rows', neighbours, 6, c0, bound, 3, 1e-5, 2, 4, 0.0)
