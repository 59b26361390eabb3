import { cleanLine } from './mail-templates/clean.ts';

/** One appointment: an hour of the clock, or whole days. */
export interface Appointment {
  /** The same in every mail about it, so that a later one changes it instead of adding another. */
  uid: string;
  /** Both as ISO 8601 instants, or both as dates (YYYY-MM-DD), of which `end` is the day after the last. */
  start: string;
  end: string;
  summary: string;
  location: string | null;
  description: string;
}

export interface Calendar {
  method: 'PUBLISH' | 'CANCEL';
  /** When it was true. What is newer wins (SEQUENCE), whatever order the mails arrive in. */
  at: Date;
  appointments: readonly Appointment[];
}

/** RFC 5545. Programs on phones and desktops open it from a mail and offer to keep it. */
export function calendarOf({ method, at, appointments }: Calendar): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Turnout//Turnout//EN',
    'CALSCALE:GREGORIAN',
    `METHOD:${method}`,
    ...appointments.flatMap((one) => [
      'BEGIN:VEVENT',
      `UID:${escaped(one.uid)}`,
      `DTSTAMP:${instant(at)}`,
      `SEQUENCE:${sequenceOf(at)}`,
      moment('DTSTART', one.start),
      ...(Date.parse(one.end) > Date.parse(one.start) ? [moment('DTEND', one.end)] : []),
      `SUMMARY:${escaped(one.summary)}`,
      ...(one.location === null || cleanLine(one.location) === '' ? [] : [`LOCATION:${escaped(one.location)}`]),
      `DESCRIPTION:${escaped(one.description)}`,
      `STATUS:${method === 'CANCEL' ? 'CANCELLED' : 'CONFIRMED'}`,
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

/** Seconds, counted from 2020: the integers of the standard have 31 bits. */
const sequenceOf = (at: Date): number => Math.max(0, Math.floor((at.getTime() - Date.UTC(2020, 0)) / 1000));

const instant = (at: Date): string => at.toISOString().replace(/[-:]|\.\d+/g, '');

const moment = (name: string, at: string): string =>
  at.length === 10 ? `${name};VALUE=DATE:${at.replaceAll('-', '')}` : `${name}:${instant(new Date(at))}`;

/** One line first: what people typed can then neither end the property nor begin another. */
const escaped = (text: string): string => cleanLine(text.toWellFormed()).replace(/[\\;,]/g, '\\$&');

const LONGEST_LINE = 75;

/** At most 75 octets a line; a letter of several octets is never cut. */
function folded(line: string): string {
  const lines: string[] = [];
  let current = '';
  let octets = 0;
  for (const letter of line) {
    const size = Buffer.byteLength(letter);
    if (octets + size > LONGEST_LINE) {
      lines.push(current);
      current = ' ';
      octets = 1;
    }
    current += letter;
    octets += size;
  }
  return [...lines, current].join('\r\n');
}
