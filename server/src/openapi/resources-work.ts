import {
  type AttendeeMessage,
  type Communication,
  type CommunicationPreview,
  type CommunicationRecipient,
  type EventTemplate,
  type Job,
  SAMPLES,
  sampleEnvelope,
  TEMPLATE_KIND,
  TEMPLATE_VERSION,
  type WebhookDelivery,
  type WebhookEndpoint,
} from '@turnout/contract';

/** Jobs, messages, webhooks and next year's event of the fair of resources.ts. */
const { attendee, registration } = SAMPLES;
const key = { kind: 'key', id: '01JBJ4R6W3X8Y5Z2A7B4C9D1EK', name: 'Ticket office' } as const;

const job: Partial<Job> = {
  id: '01JCWQ5H8K1N4R7T0V3X6Z9B2J',
  kind: 'import',
  status: 'succeeded',
  test: false,
  event_id: registration.event_id,
  group: null,
  actor: key,
  progress: { done: 500, total: 500 },
  counts: { created: 480, updated: 17, unchanged: 2, rejected: 1 },
  result_url: null,
  rejects_url: 'http://localhost:3000/links/jobs/eyJqb2IiOiJyZWplY3RzIn0.Wk3tN2pYq7vLx1RwB9mJ4sHd',
  expires_at: '2026-11-17T09:31:12Z',
  error: null,
  started_at: '2026-11-16T09:31:04Z',
  finished_at: '2026-11-16T09:31:12Z',
  created_at: '2026-11-16T09:31:04.018734Z',
  updated_at: '2026-11-16T09:31:12.401226Z',
};
export const goingOn: Partial<Job> = {
  ...job,
  status: 'running',
  progress: { done: 1500, total: 24_000 },
  counts: { created: 1460, updated: 38, unchanged: 0, rejected: 2 },
  rejects_url: null,
  expires_at: null,
  finished_at: null,
};
export const exportJob: Partial<Job> = {
  ...job,
  kind: 'export',
  progress: { done: 1204, total: 1204 },
  counts: { rows: 1204 },
  result_url: 'http://localhost:3000/links/jobs/eyJqb2IiOiJyZXN1bHQifQ.Zt0uEaVbKyIoPx8QcFgT6cFg',
  rejects_url: null,
};
export const exporting: Partial<Job> = { ...goingOn, kind: 'export', counts: { rows: 1500 } };
export const codesUnderWay: Partial<Job> = {
  ...goingOn,
  kind: 'discount_batch',
  progress: { done: 500, total: 2000 },
  counts: { created: 500 },
};
export const templateImported: Partial<Job> = {
  ...job,
  kind: 'event_template',
  progress: { done: 5, total: 5 },
  counts: { events: 1, days: 1, attendee_types: 1, products: 0, quotas: 0, questions: 1, check_in_points: 1 },
  rejects_url: null,
};
export const cancelledJob: Partial<Job> = { ...goingOn, status: 'cancelled', finished_at: '2026-11-16T09:31:20Z' };

// ---- messages
const words = {
  subject: 'Doors open at nine',
  text: 'Dear {{first_name|guest}},\n\nwe look forward to seeing you on **{{days}}**.',
};
const communication: Partial<Communication> = {
  id: '01JCY3B6D9F2H5K8N1Q4S7V0XM',
  event_id: registration.event_id,
  group: null,
  test: false,
  kind: 'service',
  status: 'draft',
  ...words,
  audience: { attendee_types: ['adult'], days: ['day1'], groups: null, statuses: ['confirmed'], checked_in: null },
  send_at: null,
  counts: { recipients: 0, queued: 0, sent: 0, failed: 0, skipped: 0 },
  progress: { done: 0, total: null },
  job_id: null,
  started_at: null,
  finished_at: null,
  created_at: '2026-11-17T15:20:00.551902Z',
  updated_at: '2026-11-17T15:24:31.007318Z',
};
export const sending: Partial<Communication> = {
  ...communication,
  status: 'sending',
  counts: { recipients: 412, queued: 112, sent: 297, failed: 0, skipped: 3 },
  progress: { done: 300, total: 412 },
  job_id: '01JCY3C8F1H4K7N0Q3S6V9X2ZJ',
  started_at: '2026-11-18T09:00:00Z',
};
export const cancelledMessage: Partial<Communication> = {
  ...sending,
  status: 'cancelled',
  counts: { recipients: 412, queued: 0, sent: 297, failed: 0, skipped: 115 },
  finished_at: '2026-11-18T09:01:10Z',
};
const preview: Partial<CommunicationPreview> = {
  subject: words.subject,
  text: 'Dear Ada,\n\nwe look forward to seeing you on First day, Second day.',
  html: '<!doctype html><html lang="en"><body><p>Dear Ada,</p><p>we look forward to seeing you on <strong>First day, Second day</strong>.</p></body></html>',
  attendee_id: attendee.id,
  recipients: 412,
  skipped: [{ reason: 'no_address', people: 3 }],
};
const recipient: Partial<CommunicationRecipient> = {
  attendee_id: attendee.id,
  registration_id: registration.id,
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.org',
  status: 'sent',
  reason: null,
  error: null,
  settled_at: '2026-11-18T09:00:04Z',
};
/** The message to everybody, as it stands among the mails of one person. */
const message: Partial<AttendeeMessage> = {
  id: communication.id!,
  kind: 'communication',
  about: 'attendee',
  subject: words.subject,
  email: 'ada@example.org',
  status: 'sent',
  reason: null,
  error: null,
  created_at: '2026-11-18T09:00:00Z',
  settled_at: '2026-11-18T09:00:04Z',
};

// ---- webhooks
const endpoint: Partial<WebhookEndpoint> = {
  id: '01JCAX5B8D1F4H7K0N3Q6S9V2W',
  url: 'https://hooks.example.org/turnout',
  events: ['registration.confirmed', 'checkin.recorded'],
  event: 'lakeside-fair',
  group: null,
  description: 'Badge printer',
  test: false,
  status: 'healthy',
  failing_since: null,
  failures_in_a_row: 0,
  secret_last4: 'x8Q=',
  old_secret_until: null,
  created_at: '2026-11-12T11:05:00.330145Z',
  updated_at: '2026-11-12T11:05:00.330145Z',
};
const secret = 'whsec_Zk3tN2pYq7vLx1RwB9mJ4sHd6cFgT0uEaVbKyIoPx8Q=';
export const rotated = { ...endpoint, old_secret_until: '2026-11-16T09:30:00Z', secret };
export const paused: Partial<WebhookEndpoint> = { ...endpoint, status: 'paused' };

const envelope = sampleEnvelope('checkin.recorded');
const delivery: Partial<WebhookDelivery> = {
  id: '01JD1A4D1G4J7M0P3R6T9W2Y5D',
  endpoint_id: endpoint.id!,
  envelope_id: envelope.id,
  type: envelope.type,
  status: 'delivered',
  livemode: envelope.livemode,
  test_event: false,
  attempts: 1,
  last_status_code: 204,
  last_attempt_at: '2026-11-20T08:12:03Z',
  next_attempt_at: null,
  replay_of: null,
  created_at: '2026-11-20T08:12:03.214507Z',
  updated_at: '2026-11-20T08:12:03.298663Z',
};
export const replayed: Partial<WebhookDelivery> = {
  ...delivery,
  id: '01JD1C7F2H5K8N1Q4S7V0X3Z6D',
  status: 'pending',
  attempts: 0,
  last_status_code: null,
  last_attempt_at: null,
  next_attempt_at: '2026-11-20T08:40:00Z',
  replay_of: delivery.id!,
};
const details = {
  ...delivery,
  envelope: JSON.stringify(envelope),
  last_signature: 't=1795162323,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
  last_webhook_signature: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  last_answer: '',
  attempt_log: [{ number: 1, at: '2026-11-20T08:12:03Z', duration_ms: 84, status_code: 204, cause: null }],
};

// ---- next year's fair
export const template: EventTemplate = {
  kind: TEMPLATE_KIND,
  version: TEMPLATE_VERSION,
  event: {
    name: 'Lakeside Fair',
    timezone: 'Europe/Berlin',
    starts_at: '2026-11-20T07:00:00Z',
    ends_at: '2026-11-20T20:00:00Z',
    venue: 'Boathouse, Lake Road 1',
    currency: 'EUR',
    capacity: 2000,
    ticketing: 'per_person',
    language: 'en',
    terms: 'Please bring this ticket. Dogs on the lead.',
    group: null,
    registration: {
      opens_at: null,
      closes_at: null,
      approval: false,
      waitlist: true,
      max_people: 8,
      unique_email: false,
      payment_hours: 72,
      checkout_minutes: 30,
      confirm_hours: 24,
    },
  },
  days: [{ code: 'day1', name: 'First day', date: '2026-11-20', opens_at: null, closes_at: null, capacity: 900 }],
  attendee_types: [
    {
      code: 'adult',
      name: 'Adult',
      price_minor: 1800,
      capacity: null,
      days: null,
      pass_days: null,
      approval: false,
      visible: true,
    },
  ],
  questions: [
    {
      code: 'diet',
      label: 'Anything we should know about food?',
      kind: 'text',
      required: false,
      options: null,
      attendee_types: null,
    },
  ],
  check_in_points: [
    {
      code: 'main-gate',
      name: 'Main gate',
      kind: 'entry',
      policy: {
        attendee_types: null,
        groups: null,
        days: null,
        products: null,
        opens_minutes_before: 60,
        closes_minutes_after: 0,
        limit: 'once_per_day',
        cooldown_seconds: 0,
        requires: null,
        capacity: null,
        leaves: null,
      },
    },
  ],
};

/** By the name of the component. */
export const WORK: Readonly<Record<string, unknown>> = {
  Job: job,
  ImportCreate: {
    csv: 'First name,Last name,Email,Type,Day\nGrace,Hopper,grace@example.org,adult,day2\n',
  },
  Communication: communication,
  CommunicationCreate: { ...words, audience: { attendee_types: ['adult'], days: ['day1'] } },
  CommunicationChange: { subject: 'Doors open at ten' },
  CommunicationPreview: preview,
  CommunicationRecipient: recipient,
  AttendeeMessage: message,
  CommunicationTested: { recipients: [{ email: 'ada@example.org', status: 'queued', reason: null }] },
  WebhookEndpoint: endpoint,
  WebhookEndpointWithSecret: { ...endpoint, secret },
  WebhookEndpointCreate: {
    url: 'https://hooks.example.org/turnout',
    events: ['registration.confirmed', 'checkin.recorded'],
    event: 'lakeside-fair',
    description: 'Badge printer',
  },
  WebhookEndpointChange: { events: ['*'] },
  WebhookTest: { type: 'checkin.recorded' },
  WebhookDelivery: delivery,
  WebhookDeliveryDetails: details,
  WebhookEnvelope: envelope,
  WebhookEventType: {
    type: 'checkin.recorded',
    description: 'A scan was recorded, admitted or refused.',
    sample: envelope,
  },
  EventTemplate: template,
  EventTemplateImport: { template, event: { name: 'Lakeside Fair 2027', first_day: '2027-11-19' } },
};
