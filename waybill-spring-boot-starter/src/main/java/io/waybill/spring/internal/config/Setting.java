package io.waybill.spring.internal.config;

/**
 * The effective value of a key.
 *
 * @param key dotted key
 * @param value the value as it may be printed: secrets masked, placeholders as they are written
 * @param origin {@code default}, {@code not set}, file and line, or the name of a variable
 */
public record Setting(String key, String value, String origin) {}
