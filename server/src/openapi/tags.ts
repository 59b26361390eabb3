import type { Operation } from '../road/operation.ts';

export interface Tag {
  name: string;
  description: string;
  /** The part of the contract that asks for it (docs/reference/map.md). */
  section: string;
}

/** The parts of the API in reading order. An operation with a tag that is not here has no description, and the lint says so. */
export const TAGS: readonly Tag[] = [
  {
    name: 'Profile',
    description: 'Who is calling: the organization, the key, the plan and what is left of it.',
    section: 'Resources: Organization profile',
  },
  {
    name: 'Groups',
    description: 'The parts of an organization, as a tree. A key may be limited to one group and all below it.',
    section: 'What the service does: groups',
  },
  {
    name: 'Events',
    description: 'What people register for: a draft, then published, closed and archived.',
    section: 'What the service does: events and their structure',
  },
  {
    name: 'Days',
    description: 'The days of an event, each with its opening times and capacity.',
    section: 'What the service does: events and their structure',
  },
  {
    name: 'Attendee types',
    description: 'What somebody registers as, with its price and the days it is offered for.',
    section: 'What the service does: events and their structure',
  },
  {
    name: 'Questions',
    description: 'What the form asks beyond name and e-mail.',
    section: 'What the service does: events and their structure',
  },
  {
    name: 'Check-in points',
    description: 'Where tickets are scanned, and the policy that decides who is admitted there.',
    section: 'What the service does: events and their structure',
  },
  {
    name: 'Registrations',
    description: 'Who comes: the same rules as the event’s form, with approval, waitlist and payment.',
    section: 'Resources: Registration',
  },
  {
    name: 'Attendees',
    description: 'The people of an event.',
    section: 'Resources: Registration',
  },
  {
    name: 'Contacts',
    description: 'The people an organization knows, across its events.',
    section: 'What the service does: contacts',
  },
  {
    name: 'Tickets',
    description: 'What is shown at the door: issued, voided, issued anew, sent.',
    section: 'What the service does: tickets',
  },
  {
    name: 'Payments',
    description: 'What was paid and given back.',
    section: 'Events: payments',
  },
  {
    name: 'Bulk actions',
    description: 'One action for many registrations or people: a job, with a report of what did not work and why.',
    section: 'Resources: Job',
  },
  {
    name: 'Scanning',
    description: 'The decision at the door, and what a scanner needs to make it offline.',
    section: 'Resources: Scan request, ScanResponse, Check-in, Scanner manifest',
  },
  {
    name: 'Communications',
    description: 'Mails to the people of an event.',
    section: 'What the service does: communications and test sends',
  },
  {
    name: 'Event templates',
    description: 'The structure of an event as a file, to make the next one from.',
    section: 'What the service does: event-template imports',
  },
  {
    name: 'Imports',
    description: 'People from a file.',
    section: 'Resources: Job, CSV import columns',
  },
  {
    name: 'Platform import',
    description: 'People from another ticketing platform: connect, choose, map, start.',
    section: 'What the service does: import from a third-party ticketing platform',
  },
  {
    name: 'Exports',
    description: 'Registrations, people, tickets and check-ins as CSV or Excel.',
    section: 'Resources: Job',
  },
  {
    name: 'Jobs',
    description: 'What goes on in the background: imports, exports and messages, with progress, counts and files.',
    section: 'Resources: Job',
  },
  {
    name: 'Webhooks',
    description: 'Where Turnout tells of what happened, signed, with delivery history and replay.',
    section: 'Resources: Webhook endpoint, delivery, envelope',
  },
  {
    name: 'Audit log',
    description: 'Who changed what, and from where.',
    section: 'What the service does: audit log',
  },
];

/** The tags in use, in reading order; one without a description still appears, so that nothing is hidden. */
export function tagsOf(operations: readonly Operation[]): { name: string; description?: string }[] {
  const used = new Set(operations.map((operation) => operation.tag));
  const known = TAGS.filter((tag) => used.delete(tag.name)).map(({ name, description }) => ({ name, description }));
  return [...known, ...[...used].map((name) => ({ name }))];
}
