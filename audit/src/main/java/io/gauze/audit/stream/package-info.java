/** Audits of what streams add: epochs, users, snapshots and leaked checkpoints. */
package io.gauze.audit.stream;
