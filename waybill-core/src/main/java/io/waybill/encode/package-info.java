/** Encodes rows into the bytes and headers that travel. */
@NullMarked
package io.waybill.encode;

import org.jspecify.annotations.NullMarked;
