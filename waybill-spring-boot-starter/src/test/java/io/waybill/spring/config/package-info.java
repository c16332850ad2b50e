@NullMarked
package io.waybill.spring.config;

import org.jspecify.annotations.NullMarked;
