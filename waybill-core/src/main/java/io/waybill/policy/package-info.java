/** Bounds, intervals and policies: how long to wait, when to stop trying, what happens then. */
@NullMarked
package io.waybill.policy;

import org.jspecify.annotations.NullMarked;
