/** The check-in decision. Everything here is pure: no clock, no I/O, no dependency. */

export * from './case-file.ts';
export { decide } from './decide.ts';
export { insideZone, type Pass } from './inside.ts';
export { type Message, messageFor, TONES, type Tone, toneOfRefusal } from './messages.ts';
export { dayForOverride } from './override.ts';
export type { Parsed, Problem } from './parse.ts';
export { parseCases } from './parse-cases.ts';
export { parseWorld } from './parse-world.ts';
export { type PreparedPoint, type PreparedWorld, pointOf, prepareWorld } from './prepare.ts';
export {
  type Answer,
  type Decide,
  type Difference,
  differences,
  replayCase,
  replayLocally,
} from './replay.ts';
export * from './scan.ts';
export {
  isRegistrationCode,
  isTicketCode,
  registrationCodeIn,
  ticketCode,
  ticketCodeIn,
  typedCode,
} from './ticket-code.ts';
export { instant, localDate, localTime, nextDate } from './time.ts';
export * from './vocabulary.ts';
export { instantOfWallClock, startOfDate, wallClockAt } from './wall-clock.ts';
export { openDays, opensNext } from './windows.ts';
export * from './world.ts';
