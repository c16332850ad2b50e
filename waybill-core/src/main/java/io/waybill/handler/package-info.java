/** Handlers of events, which an application writes, with their interceptors and exceptions. */
@NullMarked
package io.waybill.handler;

import org.jspecify.annotations.NullMarked;
