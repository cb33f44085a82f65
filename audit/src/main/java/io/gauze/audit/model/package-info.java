/** Audits of released models. */
package io.gauze.audit.model;
