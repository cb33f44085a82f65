/** Audit of two-stage-moments. */
package io.gauze.audit.twostage;
