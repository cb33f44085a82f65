/**
 * What a release costs: budgets, neighbours, the privacy unit, exact accounting by privacy loss
 * distributions, and guarantees.
 */
package io.gauze.accounting;
