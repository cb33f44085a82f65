/** Audits of noise and of mechanisms that release noisy sums. */
package io.gauze.audit.moments;
