/** Background work as duties: what is done lives elsewhere, here are thread, waiting and naming. */
@NullMarked
package io.waybill.work;

import org.jspecify.annotations.NullMarked;
