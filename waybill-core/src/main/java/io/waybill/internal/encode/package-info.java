/** Encodes rows into the bytes and headers that travel, and decodes what arrives. */
@NullMarked
package io.waybill.internal.encode;

import org.jspecify.annotations.NullMarked;
