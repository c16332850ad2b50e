/** A TCP proxy for tests that slows, cuts and silences connections, and knows some protocols. */
@NullMarked
package io.waybill.proof.proxy;

import org.jspecify.annotations.NullMarked;
