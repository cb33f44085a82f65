/**
 * The mechanism that counts the powers of two of values, and the ranges that follow from the
 * counts.
 */
package io.gauze.mechanism.ranges;
