import type { Cron, Job } from '../road/for-areas/job.ts';
import type { Operation } from '../road/operation.ts';
import type { References } from '../road/request/all-faults.ts';
import { linkReads } from '../road/write/if-match.ts';
import { operations as access } from './access/index.ts';
import { type AccountOperation, crons as accountCrons, accountOperations as accounts } from './accounts/index.ts';
import { operations as audit } from './audit/index.ts';
import { operations as bulk, crons as bulkCrons, jobs as bulkJobs } from './bulk/index.ts';
import {
  crons as communicationCrons,
  jobs as communicationJobs,
  operations as communications,
} from './communications/index.ts';
import { contactOperations } from './contacts/index.ts';
import {
  anEvent,
  attendeeTypes,
  batchJob,
  checkInPoints,
  days,
  crons as eventCrons,
  eventOperations,
} from './events/index.ts';
import { aGroup, operations as groups } from './groups/index.ts';
import { crons as hostCrons, operations as hosts } from './hosts/index.ts';
import { crons as housekeeping, operations as jobOperations } from './jobs/index.ts';
import {
  accountOperations as invitationOperations,
  crons as memberCrons,
  operations as members,
} from './members/index.ts';
import { operations as overview } from './overview/index.ts';
import { crons as pageCrons, operations as pages } from './pages/index.ts';
import { operations as pictures } from './pictures/index.ts';
import {
  anAttendee,
  aRegistration,
  changeContactEverywhere,
  eraseContact,
  crons as registrationJobs,
  operations as registrations,
} from './registrations/index.ts';
import { operations as reports } from './reports/index.ts';
import { crons as sandbox } from './sandbox/index.ts';
import { deleteCheckIns, operations as scanning, crons as scanningCrons } from './scanning/index.ts';
import { crons as transferCrons, jobs as transferJobs, operations as transfers } from './transfers/index.ts';
import { crons as webhookCrons, jobs as webhookJobs, operations as webhooks } from './webhooks/index.ts';

/** Everything Turnout offers. The router, OpenAPI, the SDK and the access matrix are made of this list. */
export const operations: Operation[] = linkReads([
  ...access,
  ...hosts,
  ...members,
  ...groups,
  ...overview,
  ...eventOperations(deleteCheckIns),
  ...pictures,
  ...registrations,
  ...contactOperations({ change: changeContactEverywhere, erase: eraseContact }),
  ...bulk,
  ...scanning,
  ...reports,
  ...communications,
  ...webhooks,
  ...transfers,
  ...jobOperations,
  ...audit,
  ...pages,
]);

/** What people do around signing in, which belongs to no organization. The router and the typed client are made of this list. */
export const accountOperations: AccountOperation[] = [...accounts, ...invitationOperations];

export const crons: Cron[] = [
  ...housekeeping,
  ...eventCrons,
  ...registrationJobs,
  ...scanningCrons,
  ...communicationCrons,
  ...webhookCrons,
  ...transferCrons,
  ...bulkCrons,
  ...accountCrons,
  ...memberCrons,
  ...hostCrons,
  ...pageCrons,
  ...sandbox,
];

/** What the background runs. */
export const jobs: Job[] = [...communicationJobs, ...transferJobs, ...bulkJobs, ...webhookJobs, batchJob];

/** Where references in bodies and queries lead, by what they are to; those of an event's parts lie inside of it. */
export const references: References = {
  group: { reference: aGroup, inside: null },
  event: { reference: anEvent, inside: null },
  day: { reference: days.reference, inside: 'event' },
  attendee_type: { reference: attendeeTypes.reference, inside: 'event' },
  check_in_point: { reference: checkInPoints.reference, inside: 'event' },
  attendee: { reference: anAttendee, inside: 'event' },
  registration: { reference: aRegistration, inside: 'event' },
};
