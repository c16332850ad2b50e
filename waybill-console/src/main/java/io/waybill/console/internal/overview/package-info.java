/** What is wrong now, and how fast events go. */
@NullMarked
package io.waybill.console.internal.overview;

import org.jspecify.annotations.NullMarked;
