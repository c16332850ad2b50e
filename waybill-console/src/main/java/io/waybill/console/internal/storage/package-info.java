/** What the tables weigh, and for whose sake the database keeps rows that were removed. */
@NullMarked
package io.waybill.console.internal.storage;

import org.jspecify.annotations.NullMarked;
