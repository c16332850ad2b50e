/** How long to wait before the next attempt, and when to stop trying. Pure functions. */
@NullMarked
package io.waybill.retry;

import org.jspecify.annotations.NullMarked;
