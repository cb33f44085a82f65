/** The verb {@code demo}: a stream of smart meters, from rows to fits, in one process. */
package io.gauze.demo;
