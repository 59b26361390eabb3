import type { Attendee, Day, ScanResponse } from '@turnout/client';
import { useRef } from 'react';
import { useAction } from '../../../../frame/action.ts';
import { call, useRefresh } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';
import { presentDay, ticketOf } from './tickets.ts';

/** After somebody was checked in, paid for or changed, these may be different. */
export const CHANGED = [
  'getAttendee',
  'getRegistration',
  'listAttendees',
  'listRegistrations',
  'listCheckIns',
  'listTickets',
  'listPayments',
  'getEventSummary',
] as const;

/** A scan that is sent again after a lost connection is the same scan. */
export const uuidOf = (key: string): string => key.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');

/** Every reading of a code is a scan of its own, with a key that is the same whenever it is sent again. */
const turned = (key: string, by: number): string => key.slice(by) + key.slice(0, by);

/** Somebody who was found, or a code that was scanned. `otherwise`: what else the code may be, tried one after the other if it is unknown. */
export type ScanTarget = { attendee: Attendee } | { code: string; otherwise?: readonly string[] };

/** The same person is the same question, even if something else of them changed meanwhile, such as that they are checked in. */
const plainTarget = (target: ScanTarget) =>
  'code' in target
    ? target
    : { attendee: { id: target.attendee.id, tickets: target.attendee.tickets, test: target.attendee.test } };
type PlainTarget = ReturnType<typeof plainTarget>;

/** The day of the event that is open now, or else comes next. */
export function usePresentDay(): Day | undefined {
  const { days } = useEvent();
  return presentDay(days, Date.now());
}

/** Checks people in at a point. What is asked while another answer is awaited comes right after it. */
export function useCheckIn(point: string | null, onAnswer: (answer: ScanResponse, target: ScanTarget) => void) {
  const { base, event } = useEvent();
  const refresh = useRefresh();
  const day = usePresentDay();
  const next = useRef<ScanTarget | null>(null);
  const scan = useAction(async (target: PlainTarget, check_in_point: string, { key }: { key: string }) => {
    const send = (key: string, of: { code: string } | { ticket_id: string; people: string[] }, test: boolean) => {
      const body = { check_in_point, client_uuid: uuidOf(key), ...of, ...(test && { test }) };
      return call('scanTicket', { ...base, body }, { key });
    };
    if ('attendee' in target) {
      const ticket_id = (await ticketOf(base, target.attendee, day)) ?? '';
      return send(key, { ticket_id, people: [target.attendee.id] }, target.attendee.test);
    }
    let answer = await send(key, { code: target.code }, event.test);
    for (const [i, code] of (target.otherwise ?? []).entries()) {
      if (answer.result !== 'unknown') break;
      answer = await send(turned(key, i + 1), { code }, event.test);
    }
    return answer;
  });
  const ask = async (full: ScanTarget): Promise<void> => {
    if (point === null) return;
    const target = plainTarget(full);
    if (scan.isRunning()) {
      next.current = full;
      return;
    }
    const answer = await scan.run(target, point);
    if (answer !== undefined) {
      onAnswer(answer, full);
      void refresh(...CHANGED);
    }
    const waiting = next.current;
    next.current = null;
    if (waiting !== null && JSON.stringify(plainTarget(waiting)) !== JSON.stringify(target)) await ask(waiting);
  };
  return { ask, busy: scan.busy, problem: scan.problem, clear: scan.clear };
}
