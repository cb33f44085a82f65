/** Prediction of the error of every mechanism for a stream, before any budget is spent. */
package io.gauze.regression.advice;
