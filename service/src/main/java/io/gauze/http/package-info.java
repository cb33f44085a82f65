/** The HTTP service: fits of releases, and the releases themselves. */
package io.gauze.http;
