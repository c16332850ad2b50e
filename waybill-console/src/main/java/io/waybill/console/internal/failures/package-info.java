/** Groups of failures. */
@NullMarked
package io.waybill.console.internal.failures;

import org.jspecify.annotations.NullMarked;
