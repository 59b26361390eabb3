import type { BulkAction, BulkChange, Job } from '@turnout/contract';
import { type Id, newId, toUuid } from '../../common/ids.ts';
import { type Fault, Refusal, requireValid } from '../../common/refusal.ts';
import { startJob } from '../../road/for-areas/start-job.ts';
import type { Work } from '../../road/operation.ts';
import { allInBody, inBody } from '../../road/request/reference.ts';
import { attendeeTypes, days, type EventRow } from '../events/index.ts';
import { aGroup } from '../groups/index.ts';
import { tooMuchFault } from '../registrations/index.ts';
import { bulkJob, keepAll } from './job.ts';
import { byRegistration, type Filter, filterFaults, filterReferenceFaults, kindOf } from './lists.ts';
import { findRefs } from './queries.ts';

export interface BulkBody {
  action: BulkAction;
  ids?: string[];
  filter?: Filter;
  reason?: string;
  send?: boolean;
  change?: BulkChange;
}

/** Checks everything that can be wrong with a bulk action, then starts its job. */
export async function startBulk(work: Work, event: EventRow, body: BulkBody): Promise<Job> {
  const { ids, ...rest } = body;
  const kind = kindOf(body.action);
  const faults = [
    ...optionFaults(body),
    ...(await allFilterFaults(work, event, body)),
    ...(await changeFaults(work, event, body)),
  ];
  const objects: { id: Id; registration: Id }[] = [];
  if (ids !== undefined) {
    const find = await findRefs(work, event, kind, ids);
    for (const [i, ref] of ids.entries()) {
      const one = find(ref);
      if (one === undefined) faults.push({ path: `ids/${i}`, message: `no such ${kind}: ${ref}` });
      else objects.push(one);
    }
  }
  requireValid(faults);
  const id = newId(work.tx.clock.now());
  const input = { ...rest, filter: body.filter ?? null };
  const job = await startJob(work, bulkJob, { id, event: event.id, input, about: { what: body.action } });
  // An item that is named by its id and by its code is done once.
  const items = new Set(byRegistration(objects));
  if (ids !== undefined) await keepAll(work.tx, work.org, toUuid(job.id), body.action, [...items]);
  return job;
}

/** The actions for which each of these fields can be sent. */
const ONLY_FOR: Record<'reason' | 'send' | 'change', readonly BulkAction[]> = {
  reason: ['decline', 'cancel'],
  send: ['reissue'],
  change: ['change'],
};

/** The faults of a well-formed body that can be found without looking anything up. */
export const bodyFaults = (body: BulkBody): Fault[] => [
  ...optionFaults(body),
  ...(body.filter === undefined ? [] : filterFaults(kindOf(body.action), body.filter)),
];

function optionFaults(body: BulkBody): Fault[] {
  const faults: Fault[] = [];
  if ((body.ids === undefined) === (body.filter === undefined)) {
    const message =
      body.ids === undefined
        ? 'either `ids` or `filter` is required'
        : 'cannot be combined with `ids`: send one of them';
    faults.push({ path: body.ids === undefined ? '' : 'filter', message });
  }
  if (body.action === 'change' && body.change === undefined) faults.push({ path: 'change', message: 'is required' });
  for (const [field, actions] of Object.entries(ONLY_FOR)) {
    if (body[field as keyof BulkBody] !== undefined && !actions.includes(body.action)) {
      faults.push({
        path: field,
        message: `can only be sent with ${actions.map((action) => `\`${action}\``).join(' and ')}`,
      });
    }
  }
  return faults;
}

async function allFilterFaults(work: Work, event: EventRow, { action, filter }: BulkBody): Promise<Fault[]> {
  if (filter === undefined) return [];
  const faults = filterFaults(kindOf(action), filter);
  return faults.length > 0 ? faults : filterReferenceFaults(work, event, kindOf(action), filter);
}

/** The faults of a change that would fail for every attendee. They are reported once here, and not for each attendee by the job. */
async function changeFaults(work: Work, event: EventRow, { change = {} }: BulkBody): Promise<Fault[]> {
  const { attendee_type: type, days: wanted, group, answers = {} } = change;
  const tooMuch = tooMuchFault(answers);
  const checks = [
    type !== undefined && inBody(work, attendeeTypes.reference, type, 'change/attendee_type', { event }),
    wanted !== undefined && allInBody(work, days.reference, wanted, 'change/days', { event }),
    typeof group === 'string' && inBody(work, aGroup, group, 'change/group', {}),
  ];
  const settled = await Promise.allSettled(checks);
  const missed = settled.flatMap((one) => {
    if (one.status === 'fulfilled') return [];
    const details = one.reason instanceof Refusal ? one.reason.options.details : undefined;
    if (details === undefined) throw one.reason;
    return details;
  });
  return tooMuch === null ? missed : [...missed, { path: 'change/answers', message: tooMuch }];
}
