package io.gauze.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** A test, or a class of tests, that runs with {@code -Pthorough} only, since it is long. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@EnabledIfSystemProperty(named = Effort.THOROUGH, matches = "true", disabledReason = Effort.REASON)
public @interface Thorough {}
