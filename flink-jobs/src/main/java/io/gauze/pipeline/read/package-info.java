/** Operators that read records of the topic of rows, and turn them into rows of epochs. */
package io.gauze.pipeline.read;
