/** The storage seam on JDBC, for PostgreSQL, MySQL and MariaDB. */
@NullMarked
package io.waybill.jdbc;

import org.jspecify.annotations.NullMarked;
