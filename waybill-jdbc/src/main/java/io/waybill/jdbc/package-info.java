/** Outboxes, inboxes and their tables on JDBC, for PostgreSQL, MySQL and MariaDB. */
@NullMarked
package io.waybill.jdbc;

import org.jspecify.annotations.NullMarked;
