/** The sketch job: its graph, and the checks before it is submitted. */
package io.gauze.job;
