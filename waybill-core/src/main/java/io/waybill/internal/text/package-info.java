/** Rules for texts from outside: what is valid, and how it is shown. */
@NullMarked
package io.waybill.internal.text;

import org.jspecify.annotations.NullMarked;
