/** Waybill's outbox in Spring's transactions, and domain events that go through it. */
@NullMarked
package io.waybill.spring;

import org.jspecify.annotations.NullMarked;
