/**
 * Publishing: the ledger and releases topics, and the protocol that gives each release one body.
 */
package io.gauze.publish;
