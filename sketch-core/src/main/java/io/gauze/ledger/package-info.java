/**
 * The ledger of a stream: what was spent, on which release, and whether an account allows another
 * one.
 */
package io.gauze.ledger;
