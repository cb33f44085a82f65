# Makes objective-sigma.csv: the least sigma / L of objective perturbation with Gaussian noise, from the bounds on the
# privacy loss themselves, by quadrature (no closed form is used); Python 3.11, numpy 2.4, scipy 1.17.
#   added or removed   loss <= m |Z| + m^2 / 2, Z standard normal, m = L / sigma
#   replaced, plane    loss <= 2 m R + 2 m^2, R the norm of two standard normal numbers
#   replaced, twice    removal at epsilon / 2 + determinant, then addition at epsilon / 2: delta (1 + exp(the former))
# Columns: neighbours, epsilon that is left for the gradients, epsilon of the determinant, delta, sigma / L.
import math
import numpy as np
from scipy import optimize

NODES, WEIGHTS = np.polynomial.legendre.leggauss(40)

def expected(slope, constant, density, eps):  # E[(1 - exp(eps - slope x - constant))+], all terms positive
    start = max(0.0, (eps - constant)/slope)
    edges = start + np.concatenate([np.arange(0, 6, 0.25), np.arange(6, 31, 1.0)])
    half = np.diff(edges)[:, None]/2
    x = half*NODES + (edges[1:] + edges[:-1])[:, None]/2
    return float((-np.expm1(eps - slope*x - constant)*density(x)*half*WEIGHTS).sum())

def changed(eps, m):
    return expected(m, m*m/2, lambda z: 2*np.exp(-z*z/2)/math.sqrt(2*math.pi), eps)

def plane(eps, m):
    return expected(2*m, 2*m*m, lambda r: r*np.exp(-r*r/2), eps)

def replaced(eps, det, m):
    return min(plane(eps, m), (1 + math.exp(eps/2 + det))*changed(eps/2, m))

def sigma(delta_of, delta):
    return math.exp(optimize.brentq(lambda x: math.log(max(delta_of(math.exp(-x)), 1e-300)/delta), -4, 9, xtol=1e-15, rtol=1e-15))

if __name__ == '__main__':
    print('# sigma / L of objective perturbation: neighbours,epsilon,determinant,delta,sigma. Made by objective_sigma.py.')
    for eps in [0.07, 0.4, 0.69, 1.4, 3.5, 9]:
        for det in [0.1, 1]:
            for delta in [1e-9, 1e-6, 0.02]:
                if det == 0.1:
                    print('add-remove,%g,%g,%g,%.13g' % (eps, det, delta, sigma(lambda m: changed(eps, m), delta)))
                print('replace-one,%g,%g,%g,%.13g' % (eps, det, delta, sigma(lambda m: replaced(eps, det, m), delta)))
