/** Models that are kept up to date from one epoch to the next. */
package io.gauze.model.track;
