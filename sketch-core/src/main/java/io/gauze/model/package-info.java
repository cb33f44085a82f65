/**
 * Mechanisms that release one fitted model, made from rows in memory: {@link
 * io.gauze.model.ObjectivePerturbation}.
 */
package io.gauze.model;
