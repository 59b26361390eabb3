import type { EventTemplate, EventTemplateImport, Job } from '@turnout/contract';
import type { Work } from '../../road/operation.ts';
import { type Fault, requireValid } from '../../road/refusal.ts';
import { finishedJob } from '../../road/start-job.ts';
import { sql } from '../../store/sql.ts';
import { findGroup } from '../groups/index.ts';
import { createAttendeeType } from './attendee-types.ts';
import { createCheckInPoint } from './check-in-points.ts';
import { createDay } from './days.ts';
import { createEvent } from './events.ts';
import { findEvent } from './queries.ts';
import { createQuestion } from './questions.ts';
import { moveTemplate } from './template-dates.ts';
import { below, templateFaults, unknown } from './template-faults.ts';

type Wanted = NonNullable<EventTemplateImport['event']>;

/**
 * Makes a draft from a template. First all faults are reported at once; then each part is created as its own operation would.
 */
export async function importTemplate(work: Work, body: EventTemplateImport): Promise<Job> {
  const wanted = body.event ?? {};
  const template = moveTemplate(body.template, wanted);
  const group = groupFor(work, template, wanted);
  const faults = [
    ...(await wantedFaults(work, wanted, group)),
    ...below('template', [...templateFaults(template), ...(await groupFaults(work, template))]),
  ];
  requireValid(faults);
  const { first_day: _date, ...named } = wanted;
  const { id } = await createEvent(work, { ...template.event, ...named, group });
  const event = (await findEvent(work.tx, work.caller, id, 'change'))!;
  for (const { name, ...day } of template.days)
    await createDay(work, event, { ...day, ...(name !== null && { name }) });
  for (const type of template.attendee_types) await createAttendeeType(work, event, type);
  for (const question of template.questions) await createQuestion(work, event, question);
  for (const point of zonesFirst(template)) await createCheckInPoint(work, event, point);
  const counts = {
    events: 1,
    days: template.days.length,
    attendee_types: template.attendee_types.length,
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
const groupFor = ({ caller }: Work, { event }: EventTemplate, wanted: Wanted): string | null =>
  wanted.group !== undefined ? wanted.group : (event.group ?? caller.group?.code ?? null);

async function wantedFaults({ tx, org, caller, mode }: Work, wanted: Wanted, group: string | null): Promise<Fault[]> {
  const faults: Fault[] = [];
  if (mode === 'test' && wanted.test === false)
    faults.push({
      path: 'event/test',
      message: 'must not be false, because an event made with a test key is a test event',
    });
  const path = wanted.group === undefined ? 'template/event/group' : 'event/group';
  if (group === null) {
    if (caller.group !== null)
      faults.push({ path, message: 'must not be null, because this key is limited to a group' });
  } else if ((await findGroup(tx, org, group, caller)) === null) {
    faults.push({ path, message: `no such group: ${group}` });
  }
  return faults;
}

/** A policy may name any group of the organization, also for a caller limited to one. */
async function groupFaults({ tx, org }: Work, { check_in_points }: EventTemplate): Promise<Fault[]> {
  const named = check_in_points.flatMap(({ policy }) => policy.groups ?? []).map((code) => code.toLowerCase());
  const found = await tx.all<{ code: string }>(sql`
    select lower(code) as code from groups where org_id = ${org} and lower(code) = any(${named})`);
  const known = new Set(found.map((row) => row.code));
  return check_in_points.flatMap(({ policy }, i) =>
    below(`check_in_points/${i}`, unknown('policy/groups', policy.groups, known, 'group')),
  );
}
