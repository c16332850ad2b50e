/** Brokers by Waybill's keys and Spring's, and how events travel to them. */
@NullMarked
package io.waybill.spring.internal.broker;

import org.jspecify.annotations.NullMarked;
