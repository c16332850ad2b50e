/** Receives the spans that programs under test export, and reads traces from them. */
@NullMarked
package io.waybill.proof.trace;

import org.jspecify.annotations.NullMarked;
