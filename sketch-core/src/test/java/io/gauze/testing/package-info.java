/** What the tests share. */
package io.gauze.testing;
