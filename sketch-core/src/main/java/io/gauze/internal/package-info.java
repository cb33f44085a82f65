/** What several packages of this library share; not for its users. */
package io.gauze.internal;
