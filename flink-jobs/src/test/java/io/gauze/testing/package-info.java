/** What the integration tests share. */
package io.gauze.testing;
