/** What commands print of a config, of dead letters and while they run. */
package io.gauze.summary;
