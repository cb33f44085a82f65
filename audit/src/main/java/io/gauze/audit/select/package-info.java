/** Audit of select-fit. */
package io.gauze.audit.select;
