/** The description of a stream: a YAML file, read into checked values. */
package io.gauze.config;
