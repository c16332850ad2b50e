/** What sending, reading and checking share. */
@NullMarked
package io.waybill.kafka.internal;

import org.jspecify.annotations.NullMarked;
