/** The solver job: it answers the requests topic from the releases topic. */
package io.gauze.solver;
