# Prints the reference numbers of ColumnRangesTest: the noise, in rows, of counts of ranges; Python 3.11, mpmath 1.3.
# Columns: neighbours, counted columns m, epsilon, delta, sigma. The condition of Balle and Wang, Improving the Gaussian
# mechanism, ICML 2018, theorem 8, solved for mu with 40 digits; sigma is the sensitivity over mu.
from mpmath import mp, mpf, erfc, exp, sqrt

mp.dps = 40


def phi(x):
    return erfc(-x / sqrt(2)) / 2


def mu(epsilon, delta):
    excess = lambda m: phi(m / 2 - epsilon / m) - exp(epsilon) * phi(-m / 2 - epsilon / m) - delta
    low, high = mpf("1e-4"), mpf(10)
    for _ in range(140):
        middle = (low + high) / 2
        low, high = (low, middle) if excess(middle) > 0 else (middle, high)
    return low


for neighbours, m, epsilon, delta in (
    ("ADD_REMOVE", 1, "1", "1e-6"),
    ("REPLACE_ONE", 12, "1", "1e-6"),
    ("ADD_REMOVE", 7, "0.1", "1e-6"),
):
    squares = m if neighbours == "ADD_REMOVE" else 2 * m
    sigma = sqrt(mpf(squares)) / mu(mpf(epsilon), mpf(delta))
    print(neighbours, m, epsilon, delta, mp.nstr(sigma, 12), sep=", ")
