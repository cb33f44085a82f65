/** A broker and a Flink cluster inside this process, for one-command use and for tests. */
package io.gauze.local;
