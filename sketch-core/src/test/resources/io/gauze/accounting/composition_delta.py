# Makes composition-delta.csv, the exact deltas of compositions: Python 3.11, numpy 2.4.6, scipy 1.17.1, mpmath 1.3.0.
# With K(s) = ln E exp(s L) over finite losses and I the chance of infinite loss,
#   delta(eps) = I + (1 / pi) int_0^oo Re exp(K(t + i w) - (t + i w) eps) / ((t + i w) (t + i w + 1)) dw
# by the trapezoid rule (step halved until 1e-7 is reached), t the saddle point. K is a closed form, for Wishart noise a
# Gauss rule over its chi-square variable. Laplace mechanisms alone, whose integrand does not fall off, are bounded from
# both sides on a lattice (the lower bound is given, the upper one is within 1e-4 of it); approximate ones are summed.
# List: copies x kind : parameters; G mu, L epsilon, P rows ridge, W freedom scale, A epsilon delta.
import itertools, math, sys
import numpy as np
from mpmath import mp, mpf
from scipy import optimize, special, stats

mp.dps = 40

def gauss(edges, nodes=16):
    x, w = np.polynomial.legendre.leggauss(nodes)
    edges = np.asarray(edges); half = np.diff(edges)[:, None]/2; mid = (edges[1:] + edges[:-1])[:, None]/2
    return (mid + half*x).ravel(), (half*w).ravel()

class Nodes:  # a law given by nodes: losses and masses
    def __init__(self, losses, masses, infinite):
        keep = masses > 1e-24  # the others are infinite: at most 1e-20 of delta
        self.l, self.m, self.infinite = losses[keep], masses[keep], infinite + masses[~keep].sum()
    def k(self, s):
        s = np.atleast_1d(s)
        x = s[:, None]*self.l
        top = x.real.max(axis=1)
        return np.log(np.exp(x - top[:, None]) @ self.m) + top

class Formula:
    def __init__(self, f, infinite=0.0): self.f, self.infinite = f, infinite
    def k(self, s): return self.f(np.atleast_1d(s))

def wishart(m, c, direction):
    f = lambda y: np.exp((m/2 - 1)*np.log(y) - y/2 - m/2*math.log(2) - special.gammaln(m/2))
    low, high = stats.chi2.ppf(1e-30, m), stats.chi2.isf(1e-30, m)
    if direction == 'present':
        y, w = gauss(np.geomspace(low, high, 200))
        return Nodes(1/(2*c) - (m/2 - 1)*np.log1p(1/(c*y)), w*f(y), 0.0)
    d, w = gauss(np.concatenate([[0], np.geomspace(1e-14, high, 500)]))  # y = floor + d
    floor = 1/c
    keep = floor + d > low if floor < low else d > -1
    loss = -1/(2*c) - (m/2 - 1)*np.log(d/(floor + d))
    return Nodes(loss[keep], (w*f(floor + d))[keep], stats.chi2.cdf(floor, m))

def replaced(m, c):  # the loss of removing and that of adding, by equal quantiles under the law without either row
    # y is where the loss of the removed row is, from the upper quantile q down; z its mirror, the lower quantile q
    f = lambda y: np.exp((m/2 - 1)*np.log(y) - y/2 - m/2*math.log(2) - special.gammaln(m/2))
    low, high = stats.chi2.ppf(1e-28, m), stats.chi2.isf(1e-40, m)
    edge = min(high, stats.chi2.isf(stats.chi2.cdf(1/c, m), m) if 1/c > low else high)
    y, w = gauss(1/c + np.geomspace(1e-14, edge - 1/c, 600) if edge == high else
                 np.concatenate([1/c + np.geomspace(1e-14, (edge - 1/c)/2, 500), edge - np.geomspace(1e-10, (edge - 1/c)/2, 500)[::-1][1:]]))
    z = np.where(y > m, stats.chi2.ppf(stats.chi2.sf(y, m), m), stats.chi2.isf(stats.chi2.cdf(y, m), m))
    ratio = lambda t: 1/(2*c) + (m/2 - 1)*np.log1p(-1/(c*t))  # ln of the density of tau + 1/c over that of tau
    a = ratio(y)
    with np.errstate(all='ignore'): b = -ratio(z)
    ok = np.isfinite(b) & (z > 1/c)
    infinite = stats.chi2.sf(edge - 1/c, m)
    return Nodes((a + b)[ok], (w*f(y)*np.exp(a))[ok], infinite)

def log_cosh_like(e):
    def f(s):
        h = s + 0.5
        big = np.exp(-2*h*e)
        return s*e + np.log(0.5 + 0.5*np.exp(-e - 2*s*e) + 0.25*(1 - big)/h)
    return f

def law(kind, p, neighbours, direction):
    if kind == 'G': return [Formula(lambda s: s*(s + 1)*p[0]**2/2)]
    if kind == 'L': return [Formula(log_cosh_like(p[0]))]
    if kind == 'A': return [Formula(lambda s: np.log((1 - p[1])*(np.exp(p[0]*(s + 1)) + np.exp(-p[0]*s))/(1 + math.exp(p[0]))), p[1])]
    if kind == 'P':
        a, l = p[0]/2, 1/p[1]; kappa = l/(1 + l)
        both = {'present': Formula(lambda s: -a*s*math.log1p(l) - a*np.log(1 - l*s)),
                'absent': Formula(lambda s: a*s*math.log1p(l) - a*np.log(1 + kappa*s))}
        return list(both.values()) if neighbours == 'replace-one' else [both[direction]]
    if neighbours == 'replace-one': return [replaced(int(p[0]), p[1])]
    return [wishart(int(p[0]), p[1], direction)]

def parse(text):
    return [(int(t.split('x')[0]), t.split('x')[1].split(':')[0], [float(v) for v in t.split(':')[1:]]) for t in text.split()]

class Sum:
    def __init__(self, text, neighbours, direction):
        self.laws = [(n, l) for n, kind, p in parse(text) for l in law(kind, p, neighbours, direction)]
        self.infinite = -math.expm1(sum(n*math.log1p(-l.infinite) for n, l in self.laws))
        poles = [p[1] for n, kind, p in parse(text) if kind == 'P' and (neighbours == 'replace-one' or direction == 'present')]
        self.most = min(poles, default=1e9)
    def k(self, s): return sum(n*l.k(s) for n, l in self.laws)
    def delta(self, eps):
        psi = lambda t: float((self.k(t + 0j) - t*eps - math.log(t*(t + 1)))[0].real)
        t = math.exp(optimize.minimize_scalar(lambda x: psi(math.exp(x)), bounds=(-3, math.log(min(self.most*0.999, 3e3))), method='bounded').x)
        f = lambda w: np.exp(self.k(t + 1j*w) - (t + 1j*w)*eps - psi(t))/((t + 1j*w)*(t + 1j*w + 1))
        scale, last, step = psi(t), None, t/8
        if scale < -60: return self.infinite
        while True:
            total, start = 0.5*f(np.array([0.0]))[0].real, 1
            while True:
                values = f(step*np.arange(start, start + 400))
                total += values.real.sum(); start += 400
                if np.abs(values[-40:]).max() < 1e-13*abs(total)/400 or start > 400000: break
            value = step*total/math.pi*math.exp(scale)
            if last is not None and abs(value/last - 1) < 1e-8: return self.infinite + value
            last, step = value, step/2

def laplace(k, e, eps, cells=1500):
    # k Laplace mechanisms of one epsilon, on a lattice of half cells, tilted. Between its atoms the loss has density
    # exp((x - e)/2)/4 under P, so a cell [x, x + h] as a whole has loss x + h/2 exactly: merging what is in a cell is
    # post-processing and gives a lower bound; splitting it between both ends ("connect the dots") an upper bound.
    h = 2*e/cells
    x = np.linspace(-e, e, 2*cells + 1)
    mass = np.diff(0.5*np.exp((x[::2] - e)/2))
    bounds = []
    for lower in [True, False]:
        p = np.zeros(2*cells + 1)
        if lower: p[1::2] = mass
        else:
            up = np.expm1(-h/2)/np.expm1(-h); p[2::2] += mass*up; p[:-2:2] += mass*(1 - up)
        p[-1] += 0.5; p[0] += 0.5*math.exp(-e)
        k1 = lambda t: math.log(np.sum(p*np.exp(t*x)))
        psi = lambda u: k*k1(math.exp(u)) - math.exp(u)*eps - u - math.log1p(math.exp(u))
        t = math.exp(optimize.minimize_scalar(psi, bounds=(-3, 8), method='bounded').x)
        size = 1 << math.ceil(math.log2(2*cells*k + 2))
        q = np.fft.irfft(np.fft.rfft(p*np.exp(t*x - k1(t)), size)**k, size)[:2*cells*k + 1]
        y = np.arange(-cells*k, cells*k + 1)*(h/2) - eps
        keep = y > 0
        bounds.append(math.exp(k*k1(t) - t*eps)*np.sum(q[keep]*np.exp(-t*y[keep])*-np.expm1(-y[keep])))
    if not bounds[0]*(1 - 1e-9) <= bounds[1] <= bounds[0]*(1 + 1e-4): print(bounds, file=sys.stderr)
    return bounds[0]

def approximate(k, e, d, eps):
    q = 1/(1 + mp.exp(-mpf(e))); d = mpf(d)
    return 1 - (1 - d)**k*(1 - sum(mp.binomial(k, i)*q**i*(1 - q)**(k - i)*max(mpf(0), 1 - mp.exp(mpf(eps) - (2*i - k)*mpf(e))) for i in range(k + 1)))

def delta(neighbours, text, eps):
    parts = parse(text)
    if len(parts) == 1 and parts[0][1] == 'L': return float(laplace(parts[0][0], parts[0][2][0], eps))
    if len(parts) == 1 and parts[0][1] == 'A': return float(approximate(parts[0][0], *parts[0][2], eps))
    return max(Sum(text, neighbours, d).delta(eps) for d in (['present'] if neighbours == 'replace-one' else ['present', 'absent']))

LISTS = ['1xG:0.3 1xL:0.4', '1xG:0.05 3xL:0.2 1xL:0.7', '1xG:0.4 1xP:64:20', '1xG:1 2xP:3:4 1xL:0.5',
         '1xG:0.02 1xL:0.01 1xP:1024:2000', '5xP:100:50 1xG:0.1', '1xG:0.3 1xL:0.4 2xA:0.1:1e-14', '1xG:1.5 5xL:0.3 3xP:20:10',
         '1xG:0.3 1xW:60:0.5', '1xG:0.2 1xL:0.2 1xP:256:60 1xW:100:0.5', '1xG:0.1 4xW:400:0.2']

if __name__ == '__main__':
    print('# The exact deltas of compositions: neighbours,list,epsilon,delta. Made by composition_delta.py.')
    for text in LISTS[int(sys.argv[1]):int(sys.argv[2])] if len(sys.argv) > 2 else LISTS:
        for neighbours in ['add-remove', 'replace-one']:
            if neighbours == 'replace-one' and not ('P' in text or 'W' in text): continue
            for goal in [1e-3, 1e-6, 1e-9, 1e-12]:
                try:
                    x = optimize.brentq(lambda x: math.log(max(1e-30, delta(neighbours, text, math.exp(x)))/goal), -4, 2.5, xtol=1e-3)
                except ValueError: continue
                eps = '%.4g' % math.exp(x)
                print('%s,%s,%s,%.10g' % (neighbours, text, eps, delta(neighbours, text, float(eps))), flush=True)
    for k, e, points in [(2, 0.5, [0.1, 0.7, 0.999]), (10, 0.15, [0.1, 0.6, 1.2, 1.49]), (100, 0.05, [1.331, 2.193, 2.796, 3.274]),
                         (100, 0.3, [9, 12]), (1000, 0.002, [0.1126, 0.2428, 0.3313, 0.4022]), (1000, 0.02, [1.786, 2.905, 3.721, 4.39])]:
        for eps in points: print('add-remove,%dxL:%g,%g,%.10g' % (k, e, eps, laplace(k, e, eps)), flush=True)
    for k, e, eps in [(2, 1, 0.5), (2, 1, 1.5), (2, 0.3, 0.1), (2, 0.3, 0.45), (7, 0.2, 0.4), (7, 0.2, 1.1)]:
        print('add-remove,%dxA:%g:1e-06,%g,%.10g' % (k, e, eps, delta('add-remove', '%dxA:%g:1e-06' % (k, e), eps)))
