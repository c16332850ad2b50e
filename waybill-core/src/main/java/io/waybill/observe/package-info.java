/** What an observer of the relay is told. */
@NullMarked
package io.waybill.observe;

import org.jspecify.annotations.NullMarked;
