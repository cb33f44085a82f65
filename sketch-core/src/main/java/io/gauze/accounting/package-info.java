/**
 * Privacy accounting: budgets, neighbours, the privacy unit, exact costs of releases by privacy
 * loss distributions, and guarantees.
 */
package io.gauze.accounting;
