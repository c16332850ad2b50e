/** What every page has: its frame, its times and texts, its buttons. */
@NullMarked
package io.waybill.console.internal.layout;

import org.jspecify.annotations.NullMarked;
