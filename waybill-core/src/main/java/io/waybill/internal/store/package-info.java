/** What databases have in common: headers as a column has them, and errors. */
@NullMarked
package io.waybill.internal.store;

import org.jspecify.annotations.NullMarked;
