/**
 * Published mechanisms that are kept for comparison, with their proofs corrected where they were
 * wrong.
 */
package io.gauze.mechanism.papers;
