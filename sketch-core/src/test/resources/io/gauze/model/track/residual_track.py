# Makes residual-noise.csv and residual-track.csv; Python 3.11, numpy 2.4, scipy 1.17.
# residual-noise.csv: the noise of statistics of residuals. Columns: neighbours, features p, B_x, mu, and the standard
# deviations of counts, gradient and Hessian (diagonal). The largest change of all three together, in deviations, is
# found by search over pairs of rows, not by the closed form; what rounding adds is added by its formula.
# residual-track.csv: a model that is kept up to date, without noise in the statistics, at the thresholds of that noise.
# Columns: epoch, epochs since the one before, coefficients, threshold, memory.
import math, sys
import numpy as np
from scipy import optimize

SHARES = {'counts': .03, 'gradient': .60, 'hessian': .37}

def steps(b):  # bits after the binary point of the finest grid on which b is at most 2^15 steps
    return math.floor(math.log2(2**15/b))

def apart(neighbours, b):
    r = neighbours == 'REPLACE_ONE'
    return (math.sqrt((2 if r else 1)/SHARES['counts']), (2 if r else 1)*b/math.sqrt(SHARES['gradient']),
            b*b*math.sqrt((2 if r else 1)/SHARES['hessian']))

def change(z, b, noise):  # of two rows in the plane, each with any clip and any weight; other bins
    def row(v):
        u = np.array(v[:2]); u = u*b/max(b, np.linalg.norm(u))
        return max(-1, min(1, v[2]))*u, max(0, min(1, v[3]))*np.outer(u, u)
    g, h = row(z[:4]); g2, h2 = row(z[4:])
    return 2/noise[0]**2 + ((g - g2)**2).sum()/noise[1]**2 + ((h - h2)**2).sum()/noise[2]**2

def together(neighbours, p, b):
    noise = apart(neighbours, b)
    one = 1/noise[0]**2 + b*b/noise[1]**2 + b**4/noise[2]**2
    if neighbours == 'ADD_REMOVE': return math.sqrt(one)
    rng = np.random.default_rng(3)
    best = 0
    for _ in range(60):
        x = rng.normal(size=8)*np.array([b, b, 3, 1, b, b, 3, 1])*2
        for _ in range(3):
            x = optimize.minimize(lambda z: -change(z, b, noise), x, method='Nelder-Mead', options={'maxfev': 6000, 'xatol': 1e-13, 'fatol': 1e-15}).x
        best = max(best, change(x, b, noise))
    h = 2.0**-steps(b)
    rounding = 2*math.sqrt(p)*h/2**12/noise[1] + 4*math.sqrt(p)*b*h/noise[2]
    return max(math.sqrt(best) + rounding, math.sqrt(2*one))

def deviations(neighbours, p, b, mu):
    t = together(neighbours, p, b)
    return [t*s/mu for s in apart(neighbours, b)]

def noise_csv():
    print('# Noise of statistics of residuals: neighbours,features,featureBound,mu,counts,gradient,hessian. Made by residual_track.py.')
    for neighbours in ('ADD_REMOVE', 'REPLACE_ONE'):
        for p, b, mu in ((1, 1.0, .25), (11, 1.7, .2367), (64, .3, 3.0)):
            print(','.join([neighbours, str(p), repr(b), repr(mu)] + [repr(d) for d in deviations(neighbours, p, b, mu)]))

BINS = 34
EDGES = [0.0] + [1e-3*2000**(k/33) for k in range(34)]

def rows(epoch, slope, seed=[1]):
    for i in range(400):
        u = []
        for _ in range(3):
            seed[0] = (seed[0]*1103515245 + 12345) % 2**31
            u.append(seed[0]/2**31)
        x = [0.5, u[0] - .5, u[1] - .5]
        yield x, slope*x[1] + .25*x[2] + .1*(u[2] - .5) + (.9 if i % 10 == 0 else 0)

def statistics(data, theta, tau):
    counts, g, h = np.zeros(BINS), np.zeros(3), np.zeros((3, 3))
    for x, y in data:
        u = np.trunc(np.array(x)*2**15)
        r = y - (u/2**15) @ theta
        counts[max(k for k in range(BINS) if abs(r) >= EDGES[k])] += 1
        g += np.trunc(max(-1, min(1, r/tau))*u*2**12)/2**27
        v = np.trunc(math.sqrt(min(1, tau/abs(r)))*u)/2**15
        h += np.outer(v, v)
    return counts, g, h

def track_csv():
    print('# A model kept up to date: epoch,since,theta0,theta1,theta2,threshold,memory. Made by residual_track.py.')
    sigma = deviations('REPLACE_ONE', 3, 1.0, 1.0)
    kept = (.3, .6, .8, .9, .95, .98)
    C, S, b = [np.zeros(BINS) for _ in kept], [np.zeros((3, 3)) for _ in kept], [np.zeros(3) for _ in kept]
    W, V, score, model = [0.0]*6, [0.0]*6, [0.0]*6, [np.zeros(3) for _ in kept]
    theta, tau = np.zeros(3), 1.0
    for t in range(14):
        since = 0 if t == 0 else 2 if t == 5 else 1
        counts, g, h = statistics(rows(t, .4 if t < 8 else -.4), theta, tau)
        median = []
        for k, l in enumerate(kept):
            d = model[k] - theta
            score[k] = .8*score[k] - tau*(g @ d) + d @ h @ d/2
            a = min(l**since, (t/(t + 1))**2)
            C[k] = a*C[k] + counts
            W[k] = a*a*W[k] + 1
            known = C[k].sum() > 3*sigma[0]*math.sqrt(BINS*W[k])
            kappa = 1.0
            if known:
                inside = sum(C[k][j]*max(0, min(1, (tau - EDGES[j])/(EDGES[j + 1] - EDGES[j]))) for j in range(BINS))
                weight = sum(C[k][j]*min(1, tau/((EDGES[j] + EDGES[j + 1])/2)) for j in range(BINS))
                kappa = max(.55, min(1, inside/weight))
            S[k] = a*S[k] + kappa*h
            b[k] = a*b[k] + kappa*(h @ theta) + tau*g
            V[k] = a*a*V[k] + (kappa*sigma[2])**2
            f = .2*math.sqrt(2*3*V[k])
            e, q = np.linalg.eigh(S[k])
            inverse = q @ np.diag([(1 - (f/x)**2)/x if x > f else 0 for x in e]) @ q.T
            step = inverse @ (b[k] - S[k] @ theta)
            step *= min(1, 1/np.linalg.norm(step))
            model[k] = theta + step
            model[k] = model[k]*min(1, 8/np.linalg.norm(model[k]))
            if known:
                j, below = 0, 0.0
                while j < BINS - 1 and below + C[k][j] < C[k].sum()/2:
                    below += C[k][j]
                    j += 1
                median.append(max(1e-3, EDGES[j] + min(1, (C[k].sum()/2 - below)/C[k][j])*(EDGES[j + 1] - EDGES[j])))
            else: median.append(tau)
        chosen = 5 if t < 6 else min(range(6), key=lambda k: (score[k], -k))
        theta, tau = model[chosen].copy(), min(2.0, median[chosen])
        print(','.join([str(t), str(since)] + [repr(float(x)) for x in theta] + [repr(float(tau)), str(chosen)]))

noise_csv() if sys.argv[1] == 'noise' else track_csv()
