export interface Tag {
  name: string;
  description: string;
  /** The section of the contract that describes it, for docs/reference/map.md. */
  section: string;
}

/** The parts of the API, in the order in which they are read. The lint fails for an operation whose tag is missing here. */
export const TAGS: readonly Tag[] = [
  {
    name: 'Profile',
    description: 'Who is calling: the organization, the key, the plan and how much of it is used.',
    section: 'Resources: Organization profile',
  },
  {
    name: 'Tenant hosts',
    description:
      'The organization’s own hosts, at whose root its registration pages are. A host is proved by a DNS record.',
    section: 'Resources: Organization profile',
  },
  {
    name: 'Groups',
    description: 'The parts of an organization, as a tree. A key can be limited to a group and the groups below it.',
    section: 'What the service does: groups',
  },
  {
    name: 'Events',
    description: 'What people register for. An event is a draft, then published, closed and archived.',
    section: 'What the service does: events and their structure',
  },
  {
    name: 'Days',
    description: 'The days of an event, each with opening times and a capacity.',
    section: 'What the service does: events and their structure',
  },
  {
    name: 'Attendee types',
    description: 'What somebody registers as, such as adult or child, with a price and the days it is offered for.',
    section: 'What the service does: events and their structure',
  },
  {
    name: 'Products',
    description: 'What is sold beside the ticket: a dinner, a T-shirt in sizes, a workshop with forty places.',
    section: 'What the service does: events and their structure',
  },
  {
    name: 'Shared limits',
    description: 'A capacity over several attendee types, days or products.',
    section: 'What the service does: events and their structure',
  },
  {
    name: 'Discounts',
    description: 'Codes that people type to pay less, or to be offered types that are hidden from others.',
    section: 'What the service does: events and their structure',
  },
  {
    name: 'Questions',
    description: 'What an event asks its attendees in addition to their name and e-mail address.',
    section: 'What the service does: events and their structure',
  },
  {
    name: 'Check-in points',
    description: 'Where tickets are scanned, and the policy that decides who is admitted.',
    section: 'What the service does: events and their structure',
  },
  {
    name: 'Registrations',
    description:
      'One or more attendees who are registered together. The same rules apply as in the event’s form: approval, waitlist and payment.',
    section: 'Resources: Registration',
  },
  {
    name: 'Attendees',
    description: 'The people who are registered for an event.',
    section: 'Resources: Registration',
  },
  {
    name: 'Contacts',
    description: 'The address book of an organization: the people it knows from all its events.',
    section: 'What the service does: contacts',
  },
  {
    name: 'Tickets',
    description: 'What is scanned at the door. Tickets are issued, voided, replaced and sent.',
    section: 'What the service does: tickets',
  },
  {
    name: 'Payments',
    description: 'What was paid and refunded.',
    section: 'Events: payments',
  },
  {
    name: 'Bulk actions',
    description: 'One action on many registrations or attendees. It runs as a job, which reports what failed and why.',
    section: 'Resources: Job',
  },
  {
    name: 'Scanning',
    description: 'The decision whether a ticket is admitted, and what a scanner needs to make it offline.',
    section: 'Resources: Scan request, ScanResponse, Check-in, Scanner manifest',
  },
  {
    name: 'Hand-outs',
    description:
      'What people have booked beside their ticket and were given at the desk or the gate: one item for each unit.',
    section: 'What the service does: events and their structure',
  },
  {
    name: 'Reports',
    description: 'Counts over time, by type, check-in point and method: registrations, attendance, refusals and money.',
    section: 'Behavior rules: what reports leave out',
  },
  {
    name: 'Communications',
    description: 'Messages by e-mail to the attendees of an event.',
    section: 'What the service does: communications and test sends',
  },
  {
    name: 'Event templates',
    description: 'The structure of an event as a file, from which another event can be created.',
    section: 'What the service does: event-template imports',
  },
  {
    name: 'Imports',
    description: 'Attendees from a file.',
    section: 'Resources: Job, CSV import columns',
  },
  {
    name: 'Platform import',
    description:
      'Attendees from another ticketing platform: connect an account, choose an event, map its ticket classes, start.',
    section: 'What the service does: import from a third-party ticketing platform',
  },
  {
    name: 'Exports',
    description: 'Registrations, people, tickets, payments, check-ins and reports as CSV or Excel.',
    section: 'Resources: Job',
  },
  {
    name: 'Jobs',
    description: 'Work in the background, such as imports, exports and messages, with its progress, counts and files.',
    section: 'Resources: Job',
  },
  {
    name: 'Webhooks',
    description: 'Signed messages to your server about what happened, with a history of deliveries and replay.',
    section: 'Resources: Webhook endpoint, delivery, envelope',
  },
  {
    name: 'Public JSON',
    description: 'An organization’s events for anybody’s site or app, without a key.',
    section: 'What the service does: registration pages',
  },
  {
    name: 'Audit log',
    description: 'Who changed what, and from where.',
    section: 'What the service does: audit log',
  },
];

/** The tags in use, in the order of TAGS. A tag without a description is listed, too, so that the lint finds it. */
export function tagsOf(names: readonly string[]): { name: string; description?: string }[] {
  const used = new Set(names);
  const known = TAGS.filter((tag) => used.delete(tag.name)).map(({ name, description }) => ({ name, description }));
  return [...known, ...[...used].map((name) => ({ name }))];
}
