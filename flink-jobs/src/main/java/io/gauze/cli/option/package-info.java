/** Options and exit codes that commands share. */
package io.gauze.cli.option;
