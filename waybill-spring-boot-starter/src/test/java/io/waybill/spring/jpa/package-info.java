/** An application with JPA. */
package io.waybill.spring.jpa;
