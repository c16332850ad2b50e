package io.waybill.console.internal;

import io.waybill.console.internal.audit.AuditPage;
import io.waybill.console.internal.checks.ChecksPage;
import io.waybill.console.internal.deadletters.LettersPage;
import io.waybill.console.internal.destinations.DeclarePage;
import io.waybill.console.internal.destinations.DestinationPage;
import io.waybill.console.internal.destinations.DestinationsPage;
import io.waybill.console.internal.events.CorrectPage;
import io.waybill.console.internal.events.EventPage;
import io.waybill.console.internal.events.EventsPage;
import io.waybill.console.internal.events.FindPage;
import io.waybill.console.internal.events.PurgePage;
import io.waybill.console.internal.export.ExportPage;
import io.waybill.console.internal.failures.FailuresPage;
import io.waybill.console.internal.inbox.InboxPage;
import io.waybill.console.internal.jobs.JobPage;
import io.waybill.console.internal.jobs.JobsPage;
import io.waybill.console.internal.jobs.PlanPage;
import io.waybill.console.internal.keys.KeysPage;
import io.waybill.console.internal.layout.Page;
import io.waybill.console.internal.overview.OverviewPage;
import io.waybill.console.internal.relays.RelaysPage;
import io.waybill.console.internal.storage.StoragePage;
import java.util.List;

/** All pages about an outbox. */
final class Pages {
  static final List<Page> ALL =
      List.of(
          new OverviewPage(),
          new FailuresPage(),
          new KeysPage(),
          new DestinationsPage(),
          new DestinationPage(),
          new DeclarePage(),
          new EventsPage(),
          new EventPage(),
          new FindPage(),
          new CorrectPage(),
          new PurgePage(),
          new RelaysPage(),
          new StoragePage(),
          new ChecksPage(),
          new PlanPage(),
          new JobsPage(),
          new JobPage(),
          new AuditPage(),
          new LettersPage(),
          new ExportPage(),
          new InboxPage());

  private Pages() {}
}
