/** Plans of streams: sizes, noise and cost of each sketch, from the config alone. */
package io.gauze.plan;
