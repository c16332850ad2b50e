/** Dead letters of consumers. */
@NullMarked
package io.waybill.console.internal.deadletters;

import org.jspecify.annotations.NullMarked;
