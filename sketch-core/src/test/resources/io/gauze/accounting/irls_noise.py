# Makes irls-noise.csv: the noise of one round of a private iteratively reweighted fit; Python 3.11, numpy 2.4,
# scipy 1.17, mpmath 1.3. Columns: law, neighbours, features p, B_x, B_y, rounds J, epsilon (or rho), delta (Wishart: and
# the degrees of freedom), scale. The scale is Laplace's, the Gaussian deviation on the diagonal, or the variance of an
# entry of Wishart's noise rows.
# Sensitivities are closed forms; "irls_noise.py search" compares them with the best of many local searches over rows: a
# replaced row changes in its cell, or moves to another cell. Deltas: Gaussian rounds by quadrature of the loss of all
# rounds; pure ones by the optimal composition of Kairouz, Oh and Viswanath, with 40 digits; Wishart rounds by
# the convolution of their losses on a fine lattice that keeps their means, for a replaced row as two steps, coupled by
# equal quantiles.
import itertools, math, sys
import numpy as np
from mpmath import mp, mpf
from scipy import optimize, stats

mp.dps = 40
RNG = np.random.default_rng(5)

def row(z, bx, by):  # any numbers to a row within the bounds: features by their norm, the response by its size
    u = z[:-1]*bx/max(1.0, np.linalg.norm(z[:-1]))
    return u, by*np.clip(z[-1], -1, 1)

def moments(z, bx, by, weight):  # distinct entries: diagonal, off it, products with the response
    u, y = row(z, bx, by)
    i, j = np.triu_indices(len(u), 1)
    w = min(1.0, abs(weight))
    return w*u*u, w*u[i]*u[j], w*u*y

def size(parts, norm):
    if norm == 'l1': return sum(np.abs(part).sum() for part in parts)
    return math.sqrt((parts[0]**2).sum() + 2*(parts[1]**2).sum() + 2*(parts[2]**2).sum())

def searched(p, bx, by, neighbours, norm):
    one = lambda x: size(moments(x[1:], bx, by, x[0]), norm)
    if neighbours == 'add-remove': goals = [(one, p + 2)]
    else:
        half = p + 2
        change = lambda x: size([a - b for a, b in zip(moments(x[1:half], bx, by, x[0]), moments(x[half + 1:], bx, by, x[half]))], norm)
        add = (lambda a, b: a + b) if norm == 'l1' else math.hypot
        goals = [(change, 2*half), (lambda x: add(one(x[:half]), one(x[half:])), 2*half)]
    best = 0.0
    for goal, n in goals:
        for _ in range(12):
            start = RNG.normal(size=n)*RNG.choice([0.3, 1, 3])
            r = optimize.minimize(lambda x: -goal(x), start, method='Nelder-Mead', options={'maxfev': 4000, 'xatol': 1e-12, 'fatol': 1e-14})
            r = optimize.minimize(lambda x: -goal(x), r.x, method='Nelder-Mead', options={'maxfev': 4000, 'xatol': 1e-13, 'fatol': 1e-15})
            best = max(best, -r.fun)
    return best

def closed(p, bx, by, neighbours, norm):
    if norm == 'l1': return (bx*bx*(p + 1)/2 + math.sqrt(p)*bx*by)*(1 if neighbours == 'add-remove' else 2)
    if neighbours == 'add-remove': return bx*math.sqrt(bx*bx + 2*by*by)
    return math.sqrt(2)*(bx*bx + by*by) if by <= bx else math.sqrt(8)*bx*by

NODES, WEIGHTS = np.polynomial.legendre.leggauss(40)

def gaussian_delta(mu, eps):  # E(1 - exp(eps - L))+, L ~ N(mu^2 / 2, mu^2)
    start = max(eps - mu*mu/2, -12*mu)/mu
    edges = start + np.concatenate([np.arange(0, 6, 0.25), np.arange(6, 40, 1.0)])
    half = np.diff(edges)[:, None]/2
    x = half*NODES + (edges[1:] + edges[:-1])[:, None]/2
    density = np.exp(-x*x/2)/math.sqrt(2*math.pi)
    return float((-np.expm1(np.minimum(0, eps - mu*x - mu*mu/2))*density*half*WEIGHTS).sum())

def pure_delta(each, rounds, eps):
    q = 1/(1 + mp.exp(-mpf(each)))
    return sum(mp.binomial(rounds, x)*q**x*(1 - q)**(rounds - x)*max(mpf(0), 1 - mp.exp(mpf(eps) - (2*x - rounds)*mpf(each))) for x in range(rounds + 1))

def root(f, delta, low, high, tol=1e-15):
    return math.exp(optimize.brentq(lambda t: float(mp.log(max(f(math.exp(t)), mpf('1e-300'))/delta)), math.log(low), math.log(high), xtol=tol, rtol=1e-15))

def wishart_delta(m, c, rounds, eps, direction, step=2e-5, width=6.0):  # far from the floor c tau = 1
    y = np.linspace(m - 14*math.sqrt(2*m), m + 14*math.sqrt(2*m), 4001)
    half = np.diff(y)[:, None]/2
    y, w = (half*NODES + (y[1:] + y[:-1])[:, None]/2).ravel(), (half*WEIGHTS).ravel()
    there = 1/(2*c) - (m - 2)/2*np.log1p(1/(c*y))
    ratio = lambda y: 1/(2*c) + (m - 2)/2*np.log1p(-1/(c*y))  # of the law with the row to that without, at tau = y
    if direction == 'both': loss, w = ratio(y) - ratio(stats.chi2.ppf(stats.chi2.sf(y, m), m)), w*np.exp(ratio(y))
    else: loss = there if direction == 'present' else -ratio(y)
    mass, n = w*stats.chi2.pdf(y, m), int(2*width/step)
    keep = np.isfinite(loss) & (np.abs(loss) < width - 1)
    place = (loss[keep] + width)/step
    i = np.floor(place).astype(int)
    lattice = np.zeros(n)
    np.add.at(lattice, i, mass[keep]*(1 - place + i)); np.add.at(lattice, i + 1, mass[keep]*(place - i))
    total = np.fft.irfft(np.fft.rfft(lattice, 1 << math.ceil(math.log2(rounds*n)))**rounds)
    over = np.arange(len(total))*step - rounds*width - eps
    return float((total*-np.expm1(-np.maximum(0, over))).sum())

def wishart(columns, degrees, rounds, neighbours, eps, delta):
    m = degrees - columns + 1
    f = lambda c: max(wishart_delta(m, c, rounds, eps, d) for d in (['present', 'absent'] if neighbours == 'add-remove' else ['both']))
    guess = math.sqrt(rounds)*(1 if neighbours == 'add-remove' else 2)*4/eps/math.sqrt(2*m)
    return root(f, delta, guess*0.7, guess*1.6, 1e-11)

if __name__ == '__main__':
    if len(sys.argv) > 1:  # check the closed forms against the search
        for p, bx, by in [(1, 1, 1), (2, 1, 1), (2, 1.25, 1), (3, 0.8, 1), (3, 1.5, 0.3)]:
            for neighbours, norm in itertools.product(['add-remove', 'replace-one'], ['l1', 'l2']):
                print(p, bx, by, neighbours, norm, searched(p, bx, by, neighbours, norm), closed(p, bx, by, neighbours, norm))
        sys.exit()
    print('# Noise of one round: law,neighbours,features,featureBound,responseBound,rounds,epsilon,delta,degrees,scale. Made by irls_noise.py.')
    for neighbours in ['add-remove', 'replace-one']:
        for p, bx, by in [(10, 1, 1), (3, 0.8, 1), (40, 2.5, 0.75)]:
            l1, l2 = (closed(p, bx, by, neighbours, norm) for norm in ['l1', 'l2'])
            for rounds, eps, delta in [(1, 1, 1e-6), (3, 0.9, 1e-6), (5, 0.9, 1e-6), (30, 0.5, 1e-8), (5, 4, 0.01)]:
                line = lambda law, d, k, scale: print('%s,%s,%d,%g,%g,%d,%g,%g,%d,%.12g' % (law, neighbours, p, bx, by, rounds, eps, d, k, scale))
                line('pure', delta, 0, l1*rounds/eps)
                line('composed', delta, 0, l1/min(eps, root(lambda e: pure_delta(e, rounds, eps), delta, eps/rounds*(1 - 1e-9), 3*eps + 3)))
                line('gaussian', delta, 0, l2*math.sqrt(rounds)/root(lambda mu: gaussian_delta(mu, eps), delta, 1e-3, 30))
                line('rho-gaussian', 0, 0, l2*math.sqrt(rounds/(2*eps)))
                line('rho-laplace', 0, 0, l1/math.sqrt(2*eps/rounds))
                if p == 10 and rounds in [3, 5] and delta < 1e-3:
                    line('wishart', delta, 4107, wishart(p + 1, 4107, rounds, neighbours, eps, delta)*(bx*bx + by*by))
