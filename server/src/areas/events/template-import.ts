import { EventTemplate, type EventTemplateImport, type Job } from '@turnout/contract';
import { type Fault, requireValid } from '../../common/refusal.ts';
import { finishedJob } from '../../road/for-areas/start-job.ts';
import type { Rule, Work } from '../../road/operation.ts';
import type { ValidPart } from '../../road/request/valid-part.ts';
import { bodyCheck } from '../../road/request/validate.ts';
import { sql } from '../../store/sql.ts';
import { findGroup } from '../groups/index.ts';
import { createAttendeeType } from './attendee-types.ts';
import { createCheckInPoint } from './check-in-points.ts';
import { createDay } from './days.ts';
import { createEvent } from './events.ts';
import { createProduct } from './products.ts';
import { findEvent } from './queries.ts';
import { createQuestion } from './questions.ts';
import { createQuota } from './quotas.ts';
import { moveTemplate } from './template-dates.ts';
import { below, templateFaults, unknown } from './template-faults.ts';

type EventFields = NonNullable<EventTemplateImport['event']>;
type ImportCall = Work & { body: ValidPart<EventTemplateImport> };

/**
 * Makes a draft from a template. First all faults are reported at once; then each part is created as its own operation would.
 */
export async function importTemplate(work: Work, body: EventTemplateImport): Promise<Job> {
  const wanted = body.event ?? {};
  const faults = await Promise.all(importRules.map((rule) => rule.faults({ ...work, body })));
  requireValid(faults.flat());
  const template = moveTemplate(body.template, wanted)!;
  const { products = [], quotas = [] } = template;
  const group = groupFor(work, template, wanted);
  const { first_day: _date, ...named } = wanted;
  const { id } = await createEvent(work, { ...template.event, ...named, group });
  const event = (await findEvent(work.tx, work.caller, id, 'change'))!;
  for (const { name, ...day } of template.days)
    await createDay(work, event, { ...day, ...(name !== null && { name }) });
  for (const type of template.attendee_types) await createAttendeeType(work, event, type);
  for (const product of products) await createProduct(work, event, product);
  for (const quota of quotas) await createQuota(work, event, quota);
  for (const question of template.questions) await createQuestion(work, event, question);
  for (const point of zonesFirst(template)) await createCheckInPoint(work, event, point);
  const counts = {
    events: 1,
    days: template.days.length,
    attendee_types: template.attendee_types.length,
    products: products.length,
    quotas: quotas.length,
    questions: template.questions.length,
    check_in_points: template.check_in_points.length,
  };
  const done = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return finishedJob(work, { kind: 'event_template' }, { event: event.id, group: event.group_id, done, counts });
}

/** Zones are created before the exits that lead out of them, because an exit refers to its zone. */
const zonesFirst = ({ check_in_points }: EventTemplate) =>
  check_in_points.toSorted((a, b) => Number(a.policy.leaves !== null) - Number(b.policy.leaves !== null));

/** An event made by a caller limited to a group belongs to that group, also where the template names none. */
const groupFor = (
  { caller }: Work,
  { event }: ValidPart<EventTemplate>,
  wanted: Partial<EventFields>,
): string | null => (wanted.group !== undefined ? wanted.group : (event?.group ?? caller.group?.code ?? null));

export const importRules: readonly Rule<ImportCall>[] = [
  {
    of: ['event/test'],
    faults: ({ mode, body }) =>
      mode === 'test' && body.event?.test === false
        ? [
            {
              path: 'event/test',
              message: 'must not be false, because an event made with a test key is a test event',
            },
          ]
        : [],
  },
  { of: ['event/group', 'template/event/group'], faults: groupFaults },
  { of: [], faults: policyGroupFaults },
  { of: [], faults: contentFaults },
];

async function groupFaults(call: ImportCall): Promise<Fault[]> {
  const { tx, org, caller, body } = call;
  const wanted = body.event ?? {};
  const group = groupFor(call, body.template ?? {}, wanted);
  const path = wanted.group === undefined ? 'template/event/group' : 'event/group';
  if (group === null) {
    return caller.group === null ? [] : [{ path, message: 'must not be null, because this key is limited to a group' }];
  }
  return (await findGroup(tx, org, group, caller)) === null ? [{ path, message: `no such group: ${group}` }] : [];
}

/** A policy may name any group of the organization, also for a caller limited to one. */
async function policyGroupFaults({ tx, org, body }: ImportCall): Promise<Fault[]> {
  const named = (body.template?.check_in_points ?? []).map((point) => point?.policy?.groups ?? []);
  const codes = named.flat().flatMap((code) => (code === undefined ? [] : [code.toLowerCase()]));
  const found = await tx.all<{ code: string }>(sql`
    select lower(code) as code from groups where org_id = ${org} and lower(code) = any(${codes})`);
  const known = new Set(found.map((row) => row.code));
  return named.flatMap((groups, i) =>
    below(`template/check_in_points/${i}`, unknown('policy/groups', groups, known, 'group')),
  );
}

const isWhole = (template: ValidPart<EventTemplate>): template is EventTemplate => checkTemplate(template).length === 0;
const checkTemplate = bodyCheck(EventTemplate);

/** Looks at the template as it is after its dates have been moved, unless a part of it is missing. */
function contentFaults({ body: { template = {}, event = {} } }: ImportCall): Fault[] {
  const moved = isWhole(template) ? moveTemplate(template, event) : template;
  const beyond = { path: 'event/first_day', message: 'moves a date of the template out of the years 1900 to 2200' };
  return [...(moved === null ? [beyond] : []), ...below('template', templateFaults(moved ?? template))];
}
