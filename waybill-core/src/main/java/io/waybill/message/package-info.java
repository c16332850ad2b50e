/**
 * The nouns that travel: event, key, payload, headers, destination. Depends on nothing else of
 * Waybill.
 */
@NullMarked
package io.waybill.message;

import org.jspecify.annotations.NullMarked;
