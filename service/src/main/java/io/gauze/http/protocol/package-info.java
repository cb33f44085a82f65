/**
 * What every resource needs: requests, replies, problems, limits, credentials, and the queue of
 * fits.
 */
package io.gauze.http.protocol;
