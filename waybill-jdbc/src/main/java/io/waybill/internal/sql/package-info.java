/** Names in SQL, errors and log-ins, before any dialect. */
@NullMarked
package io.waybill.internal.sql;

import org.jspecify.annotations.NullMarked;
