/** Mechanisms whose releases are one fitted model each. */
package io.gauze.mechanism.model;
