/** The output of commands: tables and JSON. */
package io.gauze.report;
