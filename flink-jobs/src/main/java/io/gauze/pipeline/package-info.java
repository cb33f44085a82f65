/** The operators of the sketch job, from a record to a sealed sketch. */
package io.gauze.pipeline;
