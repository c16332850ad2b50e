package io.waybill.admin;

import org.jspecify.annotations.Nullable;

/**
 * A number of events, in all rows or in those that a search has looked at.
 *
 * @param count how many
 * @param next where counting goes on, or null if no row is left or the limit was reached
 */
public record EventCount(long count, @Nullable String next) {}
