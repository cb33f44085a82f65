/** Fits that a release contains as a model, and their predicted errors. */
package io.gauze.regression.model;
