/** Spans of OpenTelemetry for events that are appended, published and handled. */
@NullMarked
package io.waybill.opentelemetry;

import org.jspecify.annotations.NullMarked;
