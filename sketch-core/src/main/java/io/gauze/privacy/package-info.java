/** Privacy: budgets, exact Gaussian accounting, entropy, noise samplers and guarantees. */
package io.gauze.privacy;
