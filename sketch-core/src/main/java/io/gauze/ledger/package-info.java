/**
 * The ledger of a stream: the spent budget, the releases that it was spent on, and the decision
 * whether an account allows another release.
 */
package io.gauze.ledger;
