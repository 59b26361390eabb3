import {
  EXPORT_FILTERS,
  type Exported,
  type ExportFilter,
  type ExportFilterName,
  PAYMENT_STATUSES,
  REGISTRATION_STATUSES,
  TICKET_STATUSES,
} from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import type { Fault } from '../../common/refusal.ts';
import type { Reach, Reference } from '../../road/request/reference.ts';
import { attendeeTypes, checkInPoints, days, type EventRow, products } from '../events/index.ts';
import { aGroup } from '../groups/index.ts';
import { findAnswered } from '../registrations/index.ts';
import type { FoundFilter } from './export-sheet.ts';

const REFERENCES = {
  attendee_type: attendeeTypes.reference,
  day: days.reference,
  check_in_point: checkInPoints.reference,
  group: aGroup,
  product: products.reference,
} as const satisfies Partial<Record<ExportFilterName, unknown>>;

/** Fields and values of the filter that do not apply to what is exported. */
export function filterFaults(what: Exported, filter: Partial<ExportFilter>): Fault[] {
  const faults: Fault[] = [];
  for (const name of Object.keys(filter) as ExportFilterName[]) {
    const fitting: readonly Exported[] = EXPORT_FILTERS[name];
    if (!fitting.includes(what)) faults.push({ path: `filter/${name}`, message: `is not a filter for ${what}` });
  }
  const statuses: readonly string[] =
    what === 'tickets' ? TICKET_STATUSES : what === 'payments' ? PAYMENT_STATUSES : REGISTRATION_STATUSES;
  const hasStatus = (EXPORT_FILTERS.status as readonly Exported[]).includes(what);
  if (filter.status !== undefined && hasStatus && !statuses.includes(filter.status)) {
    faults.push({ path: 'filter/status', message: `must be one of: ${statuses.join(', ')}` });
  }
  return faults;
}

/** Resolves the references of a filter. Every fault is added to `faults`. */
export async function findFilter(
  reach: Reach,
  event: EventRow,
  what: Exported,
  filter: ExportFilter,
  faults: Fault[],
): Promise<FoundFilter> {
  faults.push(...filterFaults(what, filter));
  const { attendee_type, day, check_in_point, group, product, answers, ...plain } = filter;
  const found: FoundFilter = { ...plain };
  if (answers !== undefined) found.answers = await findAnswered(reach, event, answers, 'filter/answers', faults);
  for (const [name, ref] of Object.entries({ attendee_type, day, check_in_point, group, product })) {
    if (ref === undefined) continue;
    const reference = REFERENCES[name as keyof typeof REFERENCES] as Reference<{ id: Id }, { event: EventRow }>;
    const one = await reference.find(reach, ref, { event });
    if (one === null) faults.push({ path: `filter/${name}`, message: `no such ${name.replaceAll('_', ' ')}: ${ref}` });
    else found[name as keyof typeof REFERENCES] = one.id;
  }
  return found;
}
