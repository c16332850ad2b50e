/** Reads a configuration and reports all its problems, with or without an application. */
@NullMarked
package io.waybill.spring.internal.config;

import org.jspecify.annotations.NullMarked;
