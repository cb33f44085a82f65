/** Fits of stratified moments: shrinkage across strata and the losses that are fitted on them. */
package io.gauze.regression.strata;
