/**
 * The types that travel: event, key, payload, headers, destination. Depends on no other package of
 * Waybill.
 */
@NullMarked
package io.waybill.message;

import org.jspecify.annotations.NullMarked;
