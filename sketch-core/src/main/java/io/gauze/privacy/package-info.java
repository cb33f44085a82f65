/** Privacy: budgets, exact Gaussian accounting, entropy, the noise sampler and guarantees. */
package io.gauze.privacy;
