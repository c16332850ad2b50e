/** What sending, consuming and checking share. */
@NullMarked
package io.waybill.rabbitmq.internal;

import org.jspecify.annotations.NullMarked;
