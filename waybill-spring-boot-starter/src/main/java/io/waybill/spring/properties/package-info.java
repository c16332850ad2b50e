/** All keys of Waybill, as Spring Boot binds them. */
@NullMarked
package io.waybill.spring.properties;

import org.jspecify.annotations.NullMarked;
