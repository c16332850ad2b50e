/** The way from a request to a page, and what all pages share. */
@org.jspecify.annotations.NullMarked
package io.waybill.console.internal;
