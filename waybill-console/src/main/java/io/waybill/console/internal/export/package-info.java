/** Lists as files. */
@NullMarked
package io.waybill.console.internal.export;

import org.jspecify.annotations.NullMarked;
