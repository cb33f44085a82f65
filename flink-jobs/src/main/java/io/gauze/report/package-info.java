/** What commands print: tables and JSON. */
package io.gauze.report;
