/** Connections, sessions and dialects, on which every store builds. */
@NullMarked
package io.waybill.internal.jdbc.kernel;

import org.jspecify.annotations.NullMarked;
