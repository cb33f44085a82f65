/** The sketch job: its graph, and what is checked before it is submitted. */
package io.gauze.job;
