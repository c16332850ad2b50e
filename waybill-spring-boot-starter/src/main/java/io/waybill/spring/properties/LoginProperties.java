package io.waybill.spring.properties;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Logins of browsers at a standalone relay's API.
 *
 * @param idle how long a login lasts after its last use: 1 min to 30 d
 * @param lifetime how long a login lasts: 1 min to 30 d
 * @param outbox the outbox whose database keeps logins. Default: the first one
 */
public record LoginProperties(
    @DefaultValue("30m") Duration idle,
    @DefaultValue("12h") Duration lifetime,
    @Nullable String outbox) {}
