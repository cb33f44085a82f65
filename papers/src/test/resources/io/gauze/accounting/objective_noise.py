# Makes objective-noise.csv: ridge and noise of models by objective perturbation; Python 3.11, numpy 2.4, scipy 1.17,
# mpmath 1.3. Columns: mechanism, neighbours, law of b, features p, B_x (of objective-perturbation: B), parameter (k of
# Huber's loss, the quantile whose k is .1, R of a ball), epsilon, delta, and the results: scale of the number of rows
# (huber-track), ridge, scale of b.
# No bound of the proof is used as a formula:
#   a row's largest gradient and second derivative   by search over rows and models, derivatives by differences
#   ridge    at which the largest ratio of the determinants of two data sets costs its share
#   pure b   at which the largest ratio of its densities, over pairs of rows, costs the rest
#   Gaussian b   objective_sigma.py
# Then the coefficient of one feature itself: by quadrature of its two densities, with a row and without it (and with
# another one), in both directions, the delta at epsilon is at most the budget's. Where rows reach all bounds at once
# (Huber's loss) the largest ratio of pure densities is epsilon without the solver's hundredth.
import math, sys
import numpy as np
from mpmath import mp, mpf
from scipy import optimize
import objective_sigma

mp.dps = 40
DETERMINANT, SOLVER, COUNT = 0.3, 0.01, 0.05

def huber(r, k): return r*r/2 if abs(r) <= k else k*abs(r) - k*k/2

def loss(mechanism, parameter):  # of the prediction t and the response y
    if mechanism in ('huber', 'huber-track'): return lambda t, y: huber(y - t, parameter)
    if mechanism == 'quantile': return lambda t, y: huber(y - t, mpf('0.1')) + (2*parameter - 1)*mpf('0.1')*(y - t)
    if mechanism == 'logistic': return lambda t, y: mp.log1p(mp.exp(-y*t))
    return lambda t, y: (y - t)**2/2

def derivatives(f):  # the largest first and second derivatives in t, for t far and near
    h, first, second = mpf('1e-12'), mpf(0), mpf(0)
    for y in (-1, 1):
        for t in [mpf(x)/64 for x in range(-128, 129)] + [mpf(-100), mpf(100)]:
            first = max(first, abs(f(t + h, y) - f(t - h, y))/(2*h))
            second = max(second, (f(t + h, y) - 2*f(t, y) + f(t - h, y))/h**2)
    return float(first), float(second)

def in_ball(bound, radius):  # the largest |u| |y - u'theta| and |u|^2; rows of norm B, features along theta, |y| <= 1
    def goal(z):
        x, y = bound*math.cos(z[0]), min(1.0, bound*abs(math.sin(z[0])))
        return abs(x)*(y + abs(x)*radius*min(1.0, abs(z[1])))
    return max(goal(optimize.minimize(lambda z: -goal(z), [a, 2.0], method='Nelder-Mead', options={'xatol': 1e-13, 'fatol': 1e-16, 'maxfev': 4000}).x)
               for a in np.linspace(0.05, 1.5, 12)), bound**2

def ridge(beta, share):  # the determinant of one feature is sum of second derivatives + ridge; fewest rows, largest ratio
    largest = lambda r: max(math.log((n*beta + beta + r)/(n*beta + r)) for n in (0, 1, 10))
    return optimize.brentq(lambda r: largest(r) - share, beta*1e-3, beta*1e4, xtol=1e-300, rtol=1e-14)

def pure(gradient, share, pairs):  # density exp(-|b| / t) in the plane; shifts by one gradient, or by two that oppose
    angle = np.linspace(0, 2*math.pi, 73)
    far = [np.array([r*math.cos(a), r*math.sin(a)]) for r in (0.0, 1.0, 50.0) for a in angle]
    shifts = [gradient*np.array([1.0, 0.0]) - s*gradient*np.array([math.cos(a), math.sin(a)]) for a in angle for s in ([1.0] if pairs else [0.0])]
    longest = max(np.linalg.norm(b + s) - np.linalg.norm(b) for b in far for s in shifts)
    return longest/share

NODES, WEIGHTS = np.polynomial.legendre.leggauss(60)

def quadrature(f, edges):
    half = np.diff(edges)[:, None]/2
    x = half*NODES + (edges[1:] + edges[:-1])[:, None]/2
    return float((f(x.ravel())*(half*WEIGHTS).ravel()).sum())

def rounded_ratio(s):  # the largest log ratio of the masses at k and k + 1 of a rounded Laplace number of scale s
    mass = lambda k: quadrature(lambda x: np.exp(-np.abs(x)/s)/(2*s), np.array([k - 0.5, k, k + 0.5]))
    return max(math.log(mass(k)/mass(k + 1)) for k in range(4))

def log_density(rows, loss_bounds, k, lam, law, scale):  # of one coefficient, Huber's loss of features B_x
    bx = loss_bounds
    def f(theta):
        g, h = lam*theta, np.full_like(theta, lam)
        for y in rows:
            r = y - bx*theta
            g = g - bx*np.clip(r, -k, k)
            h = h + bx*bx*(np.abs(r) < k)
        nu = -np.abs(g)/scale - math.log(2*scale) if law == 'pure' else -g*g/(2*scale**2) - math.log(scale*math.sqrt(2*math.pi))
        return nu + np.log(h)
    return f

def pair(neighbours, bx, k, lam, law, scale, eps):  # the delta of a row that leaves, of one in its place, and the largest ratio
    reach = 60*scale/lam if law == 'pure' else 14*scale/lam
    worst, ratio = 0.0, 0.0
    for y in [0.0, 0.3*k, k, 3*k, 10*k] + [v*scale/lam*bx for v in (1, 2, 3, 4, 4.5, 5, 5.5, 6, 7)]:
        other = [[]] if neighbours == 'add-remove' else [[], [-y], [y - 2*k]]
        for b in other:
            p, q = (log_density(rows, bx, k, lam, law, scale) for rows in ([y], b))
            kinks = [s*(v + t*k)/bx for v in [y] + b for s in (1, -1) for t in (-1, 1)] + [v*k/lam*bx for v in (-1, 0, 1)]
            edges = np.unique(np.concatenate([np.linspace(-reach, reach, 800), kinks]))
            for one, two in [(p, q), (q, p)]:
                worst = max(worst, quadrature(lambda x: np.maximum(0.0, np.exp(one(x)) - np.exp(eps + two(x))), edges))
                inside = (edges[1:] + edges[:-1])/2
                near = np.concatenate([inside, edges - 1e-9, edges + 1e-9])
                ratio = max(ratio, float((one(near) - two(near)).max()))
    return worst, ratio

def line(mechanism, neighbours, law, p, bound, parameter, eps, delta):
    pairs = neighbours == 'replace-one'
    cells = 2 if pairs else 1
    count, fit = 0.0, eps
    if mechanism == 'huber-track':  # two numbers of rows change by one each if a row moves
        count = 1/optimize.brentq(lambda t: cells*rounded_ratio(1/t) - COUNT*eps, 1e-6, 1, xtol=1e-18, rtol=1e-14)
        fit = eps*(1 - COUNT)
    if mechanism == 'objective-perturbation': gradient, beta = in_ball(bound, parameter)
    else:
        slope, curvature = derivatives(loss(mechanism, parameter))
        gradient, beta = slope*bound, curvature*bound**2
    det, left = DETERMINANT*fit, (1 - DETERMINANT - SOLVER)*fit
    lam = ridge(beta, det)
    if law == 'pure': scale = pure(gradient, left, pairs)
    else:
        of = (lambda m: objective_sigma.replaced(left, det, m)) if pairs else (lambda m: objective_sigma.changed(left, m))
        scale = gradient*objective_sigma.sigma(of, delta)
    if mechanism in ('huber', 'huber-track'):
        rest = det + left
        spent, ratio = pair(neighbours, bound, parameter, lam, law, scale, rest)
        print('%s %s %s: delta of one coefficient %.3g, largest ratio %.6g of %.6g' % (mechanism, neighbours, law, spent, ratio, rest), file=sys.stderr)
        if spent > (1e-9 if law == 'pure' else delta*(1 + 1e-9)): print('above the budget', file=sys.stderr)
    print('%s,%s,%s,%d,%g,%g,%g,%g,%.10g,%.10g,%.10g' % (mechanism, neighbours, law, p, bound, parameter, eps, delta, count, lam, scale), flush=True)

if __name__ == '__main__':
    print('# Ridge and noise of objectives: mechanism,neighbours,law,features,bound,parameter,epsilon,delta,count,ridge,scale. Made by objective_noise.py.')
    for neighbours in ['add-remove', 'replace-one']:
        for law, p in [('pure', 4), ('gaussian', 24)]:
            for eps, delta in [(1, 1e-6), (0.25, 1e-9)]:
                line('huber', neighbours, law, p, 1.25, 0.0625, eps, delta)
                line('quantile', neighbours, law, p, 1.25, 0.9, eps, delta)
                line('logistic', neighbours, law, p, 0.75, 0, eps, delta)
                line('huber-track', neighbours, law, p, 1.0, 0.125, eps, delta)
                for bound, radius in [(0.8, 0.75), (1.25, 0.1), (2.0, 1.5)]:  # of the whole row; |y| <= 1 in the second
                    line('objective-perturbation', neighbours, law, p, bound, radius, eps, delta)
