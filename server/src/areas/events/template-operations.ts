import { EventTemplate, EventTemplateImport, Job } from '@turnout/contract';
import { operation } from '../../road/operation.ts';
import { anEvent } from './references.ts';
import { templateOf } from './template.ts';
import { importRules, importTemplate } from './template-import.ts';

const tag = 'Event templates';

export const templateOperations = [
  operation({
    id: 'getEventTemplate',
    method: 'GET',
    path: '/events/{event}/template',
    scope: 'read',
    entitlement: 'api_read',
    member: 'events.read',
    at: { event: anEvent },
    reply: EventTemplate,
    refusals: ['not_found'],
    tag,
    summary: 'Get the structure of an event as a template',
    description:
      'Settings, days, attendee types, products, shared limits, questions and check-in points. It holds no discounts, no registrations and no check-ins.',
    handle: ({ tx, org, at }) => templateOf(tx, org, at.event),
  }),
  operation({
    id: 'importEventTemplate',
    method: 'POST',
    path: '/event-templates/imports',
    scope: 'write',
    entitlement: 'api_write',
    member: 'events.write',
    audit: 'event_template.imported',
    at: {},
    body: EventTemplateImport,
    rules: importRules,
    reply: Job,
    status: 201,
    refusals: ['code_taken'],
    tag,
    summary: 'Make an event from a template',
    description:
      'Makes a draft with the whole structure. Its dates are moved so that the first day falls on `first_day`. The job in the answer has already `succeeded`; its `event_id` is the new event.',
    handle: (call) => importTemplate(call, call.body),
  }),
];
