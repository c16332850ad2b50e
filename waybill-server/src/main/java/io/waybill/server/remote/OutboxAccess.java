package io.waybill.server.remote;

import io.waybill.admin.Admin;
import io.waybill.admin.EventDetail;
import io.waybill.internal.jdbc.operator.JobRequests;
import io.waybill.internal.jdbc.operator.Jobs;
import io.waybill.server.destination.RoutedNames;
import io.waybill.spring.internal.api.DestinationStanding;
import io.waybill.spring.internal.standalone.StandaloneOutbox;
import java.util.List;
import java.util.Optional;

/** An outbox as commands reach it. */
public sealed interface OutboxAccess {
  /** Its name. */
  String name();

  /**
   * Opens the view and the requests of operators.
   *
   * @return to be closed
   */
  Admin admin();

  /** The jobs, on an opened view. */
  JobRequests jobs(Admin admin);

  /** How destinations stand, on an opened view. */
  List<DestinationStanding> destinations(Admin admin);

  /** Where an event goes, or empty if it has no destination that is known. */
  Optional<String> destination(EventDetail event);

  /** The outbox with its routes and payloads, or empty through an API, which shows neither. */
  Optional<StandaloneOutbox> configured();

  /** Counting events stops there. */
  int mostCounted();

  /**
   * By its database, with the routes of its configuration.
   *
   * @param outbox as the configuration has it
   */
  record ByDatabase(StandaloneOutbox outbox) implements OutboxAccess {
    private static final int MOST_COUNTED = 10_000_000;

    @Override
    public String name() {
      return outbox.name();
    }

    @Override
    public Admin admin() {
      return outbox.admin();
    }

    @Override
    public JobRequests jobs(Admin admin) {
      return Jobs.of(admin);
    }

    @Override
    public List<DestinationStanding> destinations(Admin admin) {
      return DestinationStanding.of(admin, new RoutedNames(outbox).templates());
    }

    @Override
    public Optional<String> destination(EventDetail event) {
      return new Destinations(outbox).of(event);
    }

    @Override
    public Optional<StandaloneOutbox> configured() {
      return Optional.of(outbox);
    }

    @Override
    public int mostCounted() {
      return MOST_COUNTED;
    }
  }

  /**
   * Through an API, which does not know the routes.
   *
   * @param client asks it
   * @param name the outbox
   */
  record ByApi(ApiClient client, String name) implements OutboxAccess {
    private ApiQuestions questions() {
      return new ApiQuestions(client, name);
    }

    @Override
    public Admin admin() {
      return new ApiAdmin(questions());
    }

    @Override
    public JobRequests jobs(Admin admin) {
      return new ApiJobs(questions());
    }

    @Override
    public List<DestinationStanding> destinations(Admin admin) {
      return new ApiAdmin(questions()).standing();
    }

    @Override
    public Optional<String> destination(EventDetail event) {
      return Optional.ofNullable(event.event().destination());
    }

    @Override
    public Optional<StandaloneOutbox> configured() {
      return Optional.empty();
    }

    @Override
    public int mostCounted() {
      return ApiAdmin.MOST_COUNTED;
    }
  }
}
