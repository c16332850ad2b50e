/** Outboxes of a standalone relay, without an application. */
@NullMarked
package io.waybill.spring.internal.standalone;

import org.jspecify.annotations.NullMarked;
