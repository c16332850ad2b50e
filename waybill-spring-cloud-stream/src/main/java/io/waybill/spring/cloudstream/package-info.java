/** Publishes the relay's events through bindings of Spring Cloud Stream. */
@NullMarked
package io.waybill.spring.cloudstream;

import org.jspecify.annotations.NullMarked;
