/** Code that several packages of this library share; not for users of the library. */
package io.gauze.internal;
