/** What an application writes to receive events: handlers, interceptors and their exceptions. */
@NullMarked
package io.waybill.handler;

import org.jspecify.annotations.NullMarked;
