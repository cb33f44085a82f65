/** Answers to questions, from the releases of a topic or of a folder. */
package io.gauze.answer;
