@NullMarked
package io.waybill.spring.internal.config;

import org.jspecify.annotations.NullMarked;
