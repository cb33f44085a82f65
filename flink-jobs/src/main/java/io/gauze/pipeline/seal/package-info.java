/** Operators that add up partial sums, seal epochs, and assemble releases. */
package io.gauze.pipeline.seal;
