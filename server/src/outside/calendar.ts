import { cleanLine } from './clean.ts';

/** One appointment, with times of day or for whole days. */
export interface Appointment {
  /** The same in every mail about it, so that a later mail changes the entry instead of adding a second one. */
  uid: string;
  /** Both are ISO 8601 instants, or both are dates (YYYY-MM-DD); then `end` is the day after the last day. */
  start: string;
  end: string;
  summary: string;
  location: string | null;
  description: string;
}

export interface Calendar {
  method: 'PUBLISH' | 'CANCEL';
  /** When this was the state. The newest one wins (SEQUENCE), in whatever order the mails arrive. */
  at: Date;
  appointments: readonly Appointment[];
}

/** A calendar file (RFC 5545). Mail programs open it and offer to add the appointments to the calendar. */
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

/** Seconds since 2020: the standard's integers have only 31 bits. */
const sequenceOf = (at: Date): number => Math.max(0, Math.floor((at.getTime() - Date.UTC(2020, 0)) / 1000));

const instant = (at: Date): string => at.toISOString().replace(/[-:]|\.\d+/g, '');

const moment = (name: string, at: string): string =>
  at.length === 10 ? `${name};VALUE=DATE:${at.replaceAll('-', '')}` : `${name}:${instant(new Date(at))}`;

/** The text is made one line first, so that what people typed can neither end the property nor begin another one. */
const escaped = (text: string): string => cleanLine(text.toWellFormed()).replace(/[\\;,]/g, '\\$&');

const LONGEST_LINE = 75;

/** Breaks a line after at most 75 octets, never inside a character of several octets. */
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
