/** The way from a request to a page, and what all pages share. */
@NullMarked
package io.waybill.console.internal;

import org.jspecify.annotations.NullMarked;
