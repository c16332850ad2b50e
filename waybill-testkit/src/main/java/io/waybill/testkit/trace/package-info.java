/** Receives the spans that programs under test export, and reads traces from them. */
@NullMarked
package io.waybill.testkit.trace;

import org.jspecify.annotations.NullMarked;
