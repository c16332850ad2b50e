/** What log lines, metrics and spans have in common: names, fields and bounds. */
@NullMarked
package io.waybill.internal.observe;

import org.jspecify.annotations.NullMarked;
