/** Laws of the privacy loss of single mechanisms, from which {@code accounting} composes. */
package io.gauze.accounting.loss;
