/**
 * Audits: lower bounds on the epsilon of mechanisms as they run, from many runs on worst-case
 * neighbours. Broken variants are audited as well, and must be caught.
 */
package io.gauze.audit;
