import { type CaseFile, type GoldenCase, PERSON_STATUSES } from './case-file.ts';
import { type Parsed, Reader, resultOf } from './parse.ts';
import { isInstant, type KnownReferences, MUST_BE_INSTANT, readWorld, worldOf } from './parse-world.ts';
import { REASONS, RESULTS, TICKET_STATUSES } from './vocabulary.ts';

/**
 * Unknown fields are left alone, so that a newer file can still be replayed. An unknown field of a policy is a fault, because
 * it is a rule that would be left out.
 */
export function parseCases(input: unknown): Parsed<CaseFile> {
  const file = new Reader(input);
  if (file.object()) readFile(file);
  return resultOf(file, () => {
    const { version, world, cases } = input as CaseFile;
    return { version, world: worldOf(world), cases: cases.map(withPeopleByRef) };
  });
}

function readFile(file: Reader): void {
  const version = file.field('version');
  if (typeof version.value !== 'number' && typeof version.value !== 'string') version.fault('must be a version');
  const known = readWorld(file.field('world'));
  const names = new Set<string>();
  for (const one of file.field('cases').items(1)) {
    if (!one.object()) continue;
    const name = one.field('name').text();
    if (name !== null && names.has(name)) one.field('name').fault('is already the name of another case');
    if (name !== null) names.add(name);
    if (!one.field('local_only').missing) one.field('local_only').flag();
    const tickets = readTickets(one.field('tickets'), known);
    for (const scan of one.field('scans').items(1)) if (scan.object()) readScan(scan, tickets, known);
  }
}

/** The people of each ticket, in ticket order. */
type Tickets = ReadonlyMap<string, readonly string[]>;

function readTickets(field: Reader, known: KnownReferences): Tickets {
  const tickets = new Map<string, string[]>();
  const persons = new Map<string, string>();
  for (const ticket of field.missing ? [] : field.items()) {
    if (!ticket.object()) continue;
    const ref = ticket.field('ref').text();
    if (ref !== null && tickets.has(ref)) ticket.field('ref').fault('is already the ref of another ticket');
    if (!ticket.field('status').missing) ticket.field('status').oneOf(TICKET_STATUSES);
    if (!ticket.field('test').missing) ticket.field('test').flag();
    const people: string[] = [];
    for (const person of ticket.field('people').items(1)) {
      const name = person.object() ? readAttendee(person, known, persons) : null;
      if (name !== null && people.includes(name)) person.field('ref').fault('is already on this ticket');
      if (name !== null) people.push(name);
    }
    if (ref !== null) tickets.set(ref, people);
  }
  return tickets;
}

function readAttendee(person: Reader, known: KnownReferences, persons: Map<string, string>): string | null {
  const ref = person.field('ref').text();
  person.field('attendee_type').reference(known.types, 'attendee type');
  for (const day of person.field('days').items()) day.reference(known.days, 'day');
  if (!person.field('group').missing) person.field('group').reference(known.groups, 'group');
  const products = person.field('products');
  if (!products.missing) for (const product of products.items()) product.reference(known.products, 'product');
  if (!person.field('status').missing) person.field('status').oneOf(PERSON_STATUSES);
  if (ref === null) return null;
  const self = ['attendee_type', 'group', 'status'].map((name) => person.field(name).value ?? null);
  const same = JSON.stringify([...self, products.value ?? []]);
  if ((persons.get(ref) ?? same) !== same)
    person.fault(`must have the same type, group, status and products as ${ref} on another ticket`);
  persons.set(ref, same);
  return ref;
}

function readScan(scan: Reader, tickets: Tickets, known: KnownReferences): void {
  const ticket = scan.field('ticket');
  const code = scan.field('code');
  if (ticket.missing === code.missing) scan.fault('must have either a ticket or a code');
  else if (ticket.missing) code.text();
  else ticket.textThat((ref) => tickets.has(ref), 'must be the ref of a ticket of this case');
  const people = (typeof ticket.value === 'string' ? tickets.get(ticket.value) : undefined) ?? [];
  scan.field('check_in_point').reference(known.points, 'check-in point');
  scan.field('at').textThat(isInstant, MUST_BE_INSTANT);
  if (!scan.field('test').missing) scan.field('test').flag();
  scan.field('result').oneOf(RESULTS);
  if (!scan.field('reason').missing) scan.field('reason').oneOf(REASONS);

  const mustBeOne = (item: Reader): void => {
    item.textThat((ref) => people.includes(ref), 'must be a person on the ticket');
  };
  const present = scan.field('people_present');
  if (!present.missing) for (const item of present.items(1)) mustBeOne(item);
  readExpectedPeople(scan.field('people'), mustBeOne);
  const first = scan.field('first_admission');
  if (first.missing || !first.object()) return;
  for (const ref of first.names()) {
    mustBeOne(ref);
    const one = first.field(String(ref.value));
    if (!one.object()) continue;
    one.field('at').textThat(isInstant, MUST_BE_INSTANT);
    one.field('check_in_point').reference(known.points, 'check-in point');
    if (one.field('day').value !== null) one.field('day').reference(known.days, 'day');
  }
}

/** Reads `{ ref: result }`, or `[{ ref, result }]`, which means the same. */
function readExpectedPeople(field: Reader, mustBeOne: (item: Reader) => void): void {
  if (field.missing) return;
  if (Array.isArray(field.value)) {
    for (const item of field.items()) {
      if (!item.object()) continue;
      mustBeOne(item.field('ref'));
      item.field('result').oneOf(RESULTS);
    }
  } else if (field.object()) {
    for (const ref of field.names()) {
      mustBeOne(ref);
      field.field(String(ref.value)).oneOf(RESULTS);
    }
  }
}

function withPeopleByRef(one: GoldenCase): GoldenCase {
  const scans = one.scans.map((scan) => {
    if (!Array.isArray(scan.people)) return scan;
    return { ...scan, people: Object.fromEntries(scan.people.map(({ ref, result }) => [ref, result])) };
  });
  return { ...one, tickets: one.tickets ?? [], scans };
}
