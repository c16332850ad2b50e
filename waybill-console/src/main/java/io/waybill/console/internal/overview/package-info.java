/** What is wrong now, and how fast events go. */
@org.jspecify.annotations.NullMarked
package io.waybill.console.internal.overview;
