/** Health and metrics over HTTP. */
@NullMarked
package io.waybill.server.http;

import org.jspecify.annotations.NullMarked;
