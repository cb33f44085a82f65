/** Speed of the sketches against plain loops, by JMH. */
package io.gauze.benchmarks;
