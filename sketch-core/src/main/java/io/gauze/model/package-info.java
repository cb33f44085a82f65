/**
 * Mechanisms that release one fitted model, made from rows in memory: {@link
 * io.gauze.model.ObjectivePerturbation} and {@link io.gauze.model.PrivateIrls}.
 */
package io.gauze.model;
