import type { PlatformImportCreate, PlatformTicketClass } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { inBody, type Reach } from '../../road/request/reference.ts';
import { attendeeTypes, type EventRow } from '../events/index.ts';
import { Findings, readDays, worldOf } from '../registrations/index.ts';
import { aConnection, type ConnectionRow } from './platform-connections.ts';

/** The stored input of the job. */
export interface ImportInput {
  connection: Id;
  source_event: string;
  mapping: Mapped[];
  send_emails: boolean;
}

/** What the holders of a ticket class become. If `becomes` is null, they are not imported. */
export interface Mapped {
  ticket_class: string;
  /** The platform's name of the ticket class. */
  name: string;
  becomes: { attendee_type: Id; days: Id[] } | null;
}

export interface CheckedInput {
  connection: ConnectionRow;
  mapping: Omit<Mapped, 'name'>[];
}

/** Resolves all references in the body and reports all faults at once. */
export async function checkInput(reach: Reach, event: EventRow, body: PlatformImportCreate): Promise<CheckedInput> {
  const connection = await inBody(reach, aConnection, body.connection, 'connection', {});
  const world = await worldOf(reach.tx, reach.org, event);
  const findings = new Findings();
  const mapping: CheckedInput['mapping'] = [];
  for (const [i, { ticket_class, attendee_type, days }] of body.mapping.entries()) {
    const fault = (field: string, message: string) => findings.faults.push({ path: `mapping/${i}/${field}`, message });
    if (mapping.some((line) => line.ticket_class === ticket_class)) fault('ticket_class', 'is mapped twice');
    if (attendee_type === null) {
      if (days !== undefined) fault('days', 'must be left out, because attendee_type is null and nobody is imported');
      mapping.push({ ticket_class, becomes: null });
      continue;
    }
    const type = await attendeeTypes.find(reach.tx, reach.org, event.id, attendee_type);
    if (type === null) fault('attendee_type', `no such attendee type: ${attendee_type}`);
    else {
      const chosen = readDays(world, type, days, `mapping/${i}/days`, findings);
      mapping.push({ ticket_class, becomes: { attendee_type: type.id, days: chosen } });
    }
  }
  const verdict = findings.verdict();
  if (verdict !== null) throw verdict;
  return { connection, mapping };
}

/** Requires that the mapping names every ticket class of the platform's event, and no others. */
export function inputOf(
  { source_event, send_emails = false }: PlatformImportCreate,
  { connection, mapping }: CheckedInput,
  classes: readonly PlatformTicketClass[],
): ImportInput {
  const findings = new Findings();
  for (const { id, name } of classes) {
    if (mapping.some((line) => line.ticket_class === id)) continue;
    findings.faults.push({ path: 'mapping', message: `lacks the ticket class ${id} (${name})` });
  }
  const named = mapping.map((line, i) => {
    const known = classes.find((one) => one.id === line.ticket_class);
    if (known === undefined) {
      findings.faults.push({
        path: `mapping/${i}/ticket_class`,
        message: `no such ticket class: ${line.ticket_class}`,
      });
    }
    return { ...line, name: known?.name ?? '' };
  });
  const verdict = findings.verdict();
  if (verdict !== null) throw verdict;
  return { connection: connection.id, source_event, mapping: named, send_emails };
}
