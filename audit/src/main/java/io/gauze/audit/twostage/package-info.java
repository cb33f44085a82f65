/** Audits of two-stage-moments and descent. */
package io.gauze.audit.twostage;
