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
import { moved } from './template-dates.ts';
import { below, templateFaults, unknown } from './template-faults.ts';

type Wanted = NonNullable<EventTemplateImport['event']>;

/** Makes a draft of a template, part by part as if by hand, once nothing is wrong with any of them. */
export async function importTemplate(work: Work, body: EventTemplateImport): Promise<Job> {
  const wanted = body.event ?? {};
  const template = moved(body.template, wanted);
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

/** An exit refers to the zone it leads out of. */
const zonesFirst = ({ check_in_points }: EventTemplate) =>
  check_in_points.toSorted((a, b) => Number(a.policy.leaves !== null) - Number(b.policy.leaves !== null));

/** What a key limited to a group makes is of its group, also by a template of the whole organization. */
const groupFor = ({ caller }: Work, { event }: EventTemplate, wanted: Wanted): string | null =>
  wanted.group !== undefined ? wanted.group : (event.group ?? caller.group?.code ?? null);

async function wantedFaults({ tx, org, caller, mode }: Work, wanted: Wanted, group: string | null): Promise<Fault[]> {
  const faults: Fault[] = [];
  if (mode === 'test' && wanted.test === false)
    faults.push({ path: 'event/test', message: 'an event made with a test key is a test event' });
  const path = wanted.group === undefined ? 'template/event/group' : 'event/group';
  if (group === null) {
    if (caller.group !== null)
      faults.push({ path, message: 'this key is limited to a group; its events belong to it' });
  } else if ((await findGroup(tx, org, group, caller)) === null) {
    faults.push({ path, message: `no such group: ${group}` });
  }
  return faults;
}

/** A point may name any group of the organization. */
async function groupFaults({ tx, org }: Work, { check_in_points }: EventTemplate): Promise<Fault[]> {
  const named = check_in_points.flatMap(({ policy }) => policy.groups ?? []).map((code) => code.toLowerCase());
  const found = await tx.all<{ code: string }>(sql`
    select lower(code) as code from groups where org_id = ${org} and lower(code) = any(${named})`);
  const known = new Set(found.map((row) => row.code));
  return check_in_points.flatMap(({ policy }, i) =>
    below(`check_in_points/${i}`, unknown('policy/groups', policy.groups, known, 'group')),
  );
}
