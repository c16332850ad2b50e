/** Handlers of an inbox as methods of Spring beans. */
@NullMarked
package io.waybill.spring.inbox;

import org.jspecify.annotations.NullMarked;
