package io.waybill.spring.properties;

import org.jspecify.annotations.Nullable;

/**
 * The console for operators.
 *
 * @param enabled whether it is served at /console; in an application to users whom Spring Security
 *     knows. Default: no; in a standalone relay where browsers can log in at its API
 * @param traceUrl where a trace is shown, as in {@code https://traces.example/trace/{trace-id}}
 */
public record ConsoleProperties(@Nullable Boolean enabled, @Nullable String traceUrl) {}
