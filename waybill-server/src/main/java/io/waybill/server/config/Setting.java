package io.waybill.server.config;

/**
 * One value as it holds in the end.
 *
 * @param path dotted path
 * @param value the value as it may be printed: secrets masked, placeholders unresolved
 * @param origin "default", "line n" or the environment variable that overrides it
 */
public record Setting(String path, String value, String origin) {}
