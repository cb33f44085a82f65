/**
 * The resources of the HTTP service: fits, predictions, advice, releases, the ledger, events and
 * the console.
 */
package io.gauze.http.resource;
