/** Linear sketches of a stream of encoded rows, in exact integer arithmetic. */
package io.gauze.sketch;
