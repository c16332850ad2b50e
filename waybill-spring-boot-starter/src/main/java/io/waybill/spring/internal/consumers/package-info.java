/** Consumers beside an outbox and their dead letters, for the command line and the API. */
@NullMarked
package io.waybill.spring.internal.consumers;

import org.jspecify.annotations.NullMarked;
