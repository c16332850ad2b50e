/** Outboxes as their keys describe them, and what is wrong with the keys. */
@NullMarked
package io.waybill.spring.internal.keys;

import org.jspecify.annotations.NullMarked;
