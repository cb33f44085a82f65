/**
 * Audits: lower bounds on the epsilon of the mechanisms as they run, from many runs on worst-case
 * neighbours, and the same for broken ones, which they must catch.
 */
package io.gauze.audit;
