/** What operators see through HTTP: one catalogue of operations, and the way to them. */
@NullMarked
package io.waybill.spring.internal.api;

import org.jspecify.annotations.NullMarked;
