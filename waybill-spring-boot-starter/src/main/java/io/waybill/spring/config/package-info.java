/** Reads a configuration and says all that is wrong with it, with or without an application. */
@NullMarked
package io.waybill.spring.config;

import org.jspecify.annotations.NullMarked;
