/** What a program tells its user: messages by code, each with what is and what to do. */
package io.gauze.message;
