/** Code that docs/spring-boot.md quotes. */
package io.waybill.spring.docs;
