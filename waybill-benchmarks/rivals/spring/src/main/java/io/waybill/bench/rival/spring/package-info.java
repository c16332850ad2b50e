/** What the rivals share that are Spring Boot applications. */
@NullMarked
package io.waybill.bench.rival.spring;

import org.jspecify.annotations.NullMarked;
