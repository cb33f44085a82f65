/** The numbers of a release by kind, and the parameters with which a reader understands them. */
package io.gauze.payload;
