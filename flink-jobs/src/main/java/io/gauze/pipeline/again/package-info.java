/** Operators that read the rows of a sealed epoch again: for second stages and for models. */
package io.gauze.pipeline.again;
