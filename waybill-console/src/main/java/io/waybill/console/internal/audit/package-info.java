/** Requests of operators. */
@NullMarked
package io.waybill.console.internal.audit;

import org.jspecify.annotations.NullMarked;
