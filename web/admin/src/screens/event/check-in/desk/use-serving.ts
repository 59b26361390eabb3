import type { Attendee } from '@turnout/client';
import { toast, useWords } from '@turnout/ui';
import type { Typed } from '@turnout/ui/wedge';
import { type RefObject, useEffect } from 'react';
import { useEvent } from '../../../../frame/event.tsx';
import { stateLook, useStateText } from '../../../../parts/status.tsx';
import { nameOf } from '../../people/query.ts';
import { decisionOf } from './desk-answer.tsx';
import { enterMeans } from './enter.ts';
import { hasTicket } from './tickets.ts';
import { useCheckIn } from './use-check-in.ts';
import type { useServed } from './use-desk.ts';
import { useEnter } from './use-enter.ts';
import { useFoundBy } from './use-find.ts';
import type { Finding } from './use-finding.ts';
import { useRepeated } from './use-repeated.ts';

/** What has to be done before somebody can be checked in, such as taking money: Enter goes there. */
const NEXT = '[data-next] :is(input:checked, button)';

interface Desk {
  finding: Finding;
  served: ReturnType<typeof useServed>;
  /** Null: nobody can be checked in here. */
  point: string | null;
  finds: boolean;
  isForm: boolean;
  focusField: () => void;
  panel: RefObject<HTMLElement | null>;
}

/** Checking people in at the desk: by Enter, by a button, and by a scanner that types. */
export function useServing({ finding, served, point, finds, isForm, focusField, panel }: Desk) {
  const t = useWords('desk');
  const textOf = useStateText();
  const { event } = useEvent();
  const foundBy = useFoundBy();
  const repeated = useRepeated(point);
  const { text, setText, found, chosen, isPicked, isShared, choose } = finding;
  /** Several people may be on a ticket: the clerk chooses who is here. */
  const asksWho = event.ticketing === 'shared' && finds;
  const checkIn = useCheckIn(point, (answer, target) => {
    void served.answered(answer, target);
    repeated.note(answer);
    focusField();
    if (!isShared) return setText('');
    // The others with the same code stay in the list, and the next of them who is not in is chosen; what the door said of this one is
    // told beside it.
    choose('');
    const attendee = 'attendee' in target ? target.attendee : null;
    const { result } = decisionOf(answer, attendee?.id);
    toast(
      `${attendee === null ? '' : nameOf(attendee)}: ${textOf('result', result)}`,
      stateLook('result', result).tone,
    );
  });
  const scan = ({ text: code, otherwise }: Typed) => {
    if (isForm || document.querySelector('dialog[open]') !== null) return toast(t('scannedBusy'), 'warn');
    if (point === null) return toast(t('scannedNowhere'), 'warn');
    if (asksWho) return void foundBy([code, ...otherwise]).then(setText);
    setText('');
    void checkIn.ask({ code, otherwise });
  };
  /** Enter checks nobody in a second time: whoever is in already is said to be, and the button beside it checks in again. */
  const serve = async (attendee: Attendee) => {
    if (point === null || !hasTicket(attendee)) panel.current?.querySelector<HTMLElement>(NEXT)?.focus();
    else if (!(await repeated.look(attendee))) void checkIn.ask({ attendee });
  };
  const enter = useEnter(text, found.isCurrent, found.rows, (attendee) => void serve(attendee));
  const pressEnter = (last: Attendee | null) => {
    const meant = enterMeans(text, { finds, asksWho });
    if (meant === 'found') enter(chosen, isPicked);
    else if (meant !== 'last') scan({ text: meant.code, otherwise: [] });
    else if (last !== null) void serve(last);
  };
  const clear = () => {
    checkIn.clear();
    repeated.clear();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: what went wrong with one person is over when another one is typed
  useEffect(clear, [text]);
  return {
    ...{ scan, pressEnter },
    ask: (attendee: Attendee) => {
      repeated.clear();
      void checkIn.ask({ attendee });
    },
    busy: checkIn.busy,
    problem: checkIn.problem,
    repeated: repeated.found,
  };
}

export type Serving = ReturnType<typeof useServing>;
