/** Dead letters of consumers. */
@org.jspecify.annotations.NullMarked
package io.waybill.console.internal.letters;
