// Gaussian differential privacy: Dong, Roth and Su, JRSS B 84 (2022), corollaries 2.13 and 3.3.

/** The complementary error function, with a relative error below 1.2e-7 (Numerical Recipes, section 6.2). */
function erfc(x) {
  const z = Math.abs(x);
  const t = 1 / (1 + 0.5 * z);
  const terms = [-1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587, -0.82215223, 0.17087277];
  const sum = terms.reduceRight((all, each) => all * t + each, 0);
  const value = t * Math.exp(-z * z + sum);
  return x >= 0 ? value : 2 - value;
}

const below = (x) => 0.5 * erfc(-x / Math.SQRT2);

/** The delta at an epsilon of what is mu-Gaussian. */
const deltaOf = (mu, epsilon) =>
  below(-epsilon / mu + mu / 2) - Math.exp(epsilon) * below(-epsilon / mu - mu / 2);

/** The mu whose guarantee at a delta is epsilon, to a part in a thousand. */
function muOf(epsilon, delta) {
  let low = 1e-4;
  let high = 50;
  while (high / low > 1.001) {
    const middle = Math.sqrt(low * high);
    if (deltaOf(middle, epsilon) > delta) high = middle;
    else low = middle;
  }
  return low;
}

/** The point below which a normal variable is with a probability in (0.5, 1). */
export function normalQuantile(probability) {
  let low = 0;
  let high = 40;
  while (high - low > 1e-9) {
    const middle = (low + high) / 2;
    if (below(middle) < probability) low = middle;
    else high = middle;
  }
  return low;
}

/** The share of a limit that is used: costs of equal releases add up in the square of mu. */
export const share = (spent, limit, delta) => (spent > 0 ? Math.min(1, (muOf(spent, delta) / muOf(limit, delta)) ** 2) : 0);
