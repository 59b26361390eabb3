import { registrationCodeIn, ticketCodeIn } from '@turnout/checkin';
import type { Attendee } from '@turnout/client';
import { Button, ConfirmDialog, toast, Unsaved, useWords } from '@turnout/ui';
import type { Typed } from '@turnout/ui/wedge';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';
import { stateLook, useStateText } from '../../../../parts/status.tsx';
import { useMayHere } from '../../people/may-here.ts';
import { nameOf } from '../../people/query.ts';
import { decisionOf } from './desk-answer.tsx';
import { FindField } from './find-field.tsx';
import { FoundList } from './found.tsx';
import { Key } from './key.tsx';
import { type Mode, Panel } from './panel.tsx';
import { NoMatch, RecentEntries } from './recent-entries.tsx';
import type { Settings } from './settings.tsx';
import { hasTicket } from './tickets.ts';
import { useCheckIn } from './use-check-in.ts';
import { useChosen, useServed, useText } from './use-desk.ts';
import { useEnter } from './use-enter.ts';
import { useFind, useFoundBy } from './use-find.ts';
import { useFocusField, useHands, useUnsavedHere } from './use-hands.ts';
import { usePrint } from './use-print.ts';
import { useWedge } from './use-wedge.ts';
import type { WalkInResult } from './walk-in.tsx';

/** What has to be done before somebody can be checked in, such as taking money: Enter goes there. */
const NEXT = '[data-next] :is(input:checked, button)';

/** The button that puts the last answer of the door right. */
const CORRECT = '[data-correct]';

/** The desk at work. `scans`: people can be checked in here. */
export function Counter({ settings, finds, scans }: { settings: Settings; finds: boolean; scans: boolean }) {
  const t = useWords('desk');
  const may = useMayHere();
  const textOf = useStateText();
  const { base, event } = useEvent();
  const [text, setText] = useText();
  const found = useFind(text);
  const foundBy = useFoundBy();
  /** A ticket of several people was scanned, or the code of a registration typed, and these are they. */
  const isShared = (ticketCodeIn(text) ?? registrationCodeIn(text)) !== null && found.rows.length > 1;
  const { chosen, isPicked, choose, step } = useChosen(found.rows, text, isShared);
  const served = useServed(settings.sound);
  const [mode, setMode] = useState<Mode>('find');
  /** Whom a form is open for. The list may change below it, and must not take it away. */
  const [fixing, setFixing] = useState<Attendee | undefined>(undefined);
  const [leaving, setLeaving] = useState(false);
  const unsaved = useUnsavedHere();
  const field = useRef<HTMLInputElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const focusField = useFocusField(field);
  const print = usePrint(settings.format);

  const isFinding = text.trim() !== '';
  const last = isFinding ? undefined : served.shown;
  const subject = (isFinding ? chosen : last?.attendee) ?? undefined;
  const mayWrite = finds && may('people.write');

  const close = () => {
    setMode('find');
    setLeaving(false);
    focusField();
  };
  const fix = () => {
    setFixing(subject);
    setMode('fix');
  };
  const fixed = async () => {
    close();
    const now = fixing && (await call('getAttendee', { ...base, attendee: fixing.id }).catch(() => undefined));
    // Whoever was found by a name that was wrong is found by the right one from now on.
    if (isFinding && now !== undefined && fixing !== undefined && nameOf(now) !== nameOf(fixing)) setText(nameOf(now));
  };
  const checkIn = useCheckIn(settings.point, (answer, target) => {
    void served.answered(answer, target);
    focusField();
    if (!isShared) return setText('');
    // The others with the same code stay in the list, and the next of them who is not in is chosen; what the door said of this one is
    // told beside it.
    choose('');
    const decision = decisionOf(answer, 'attendee' in target ? target.attendee.id : undefined);
    toast(
      `${'attendee' in target ? nameOf(target.attendee) : ''}: ${textOf('result', decision.result)}`,
      stateLook('result', decision.result).tone,
    );
  });
  const scan = ({ text: code, otherwise }: Typed) => {
    if (mode !== 'find' || document.querySelector('dialog[open]') !== null) return toast(t('scannedBusy'), 'warn');
    if (!scans) return toast(t('scannedNowhere'), 'warn');
    // Several people may be on it: the clerk chooses who is here.
    if (event.ticketing === 'shared' && finds) return void foundBy([code, ...otherwise]).then(setText);
    setText('');
    void checkIn.ask({ code, otherwise });
  };
  const serve = (attendee: Attendee) => {
    if (scans && hasTicket(attendee)) void checkIn.ask({ attendee });
    else panel.current?.querySelector<HTMLElement>(NEXT)?.focus();
  };
  const enter = useEnter(text, found.isCurrent, found.rows, serve);
  const pressEnter = () => {
    const code = ticketCodeIn(text) ?? (finds ? null : text.trim() || null);
    if (code !== null && !(event.ticketing === 'shared' && finds)) scan({ text: code, otherwise: [] });
    else if (isFinding) enter(chosen, isPicked);
    else if (last?.answer === null && subject !== undefined) serve(subject);
  };
  const added = ({ attendee, answer, problem }: WalkInResult) => {
    if (answer !== null) void served.answered(answer, { attendee });
    else served.add({ attendee, name: nameOf(attendee), answer: null, ...(problem !== null && { problem }) });
    setText('');
    close();
  };
  useWedge(scan);
  useHands(field, {
    isForm: mode !== 'find',
    keys: {
      F2: mode === 'find' && subject !== undefined && mayWrite ? fix : undefined,
      F3: subject !== undefined && hasTicket(subject) ? () => void print(subject) : undefined,
      F4: mode === 'find' && mayWrite ? () => setMode('walk-in') : undefined,
      F8: mode === 'find' ? () => panel.current?.querySelector<HTMLElement>(CORRECT)?.click() : undefined,
      Escape: mode === 'find' ? undefined : () => (unsaved.isChanged() ? setLeaving(true) : close()),
    },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: also after it was chosen where the desk is
  useEffect(focusField, [focusField, scans]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what went wrong with one person is over when another one is typed
  useEffect(checkIn.clear, [text]);

  return (
    <div className="desk" data-mode={mode}>
      <div className="desk-find" inert={mode !== 'find'}>
        <FindField
          {...{ field, text, finds, found, chosen }}
          onChange={setText}
          onStep={step}
          onEnter={pressEnter}
          onEscape={() => (isFinding ? setText('') : served.open(null))}
        />
        {isShared && <p className="desk-help">{t('whoIsHere', { count: found.rows.length })}</p>}
        {isFinding && found.rows.length > 0 && (
          <FoundList found={found} chosen={chosen} onChoose={({ id }) => choose(id)} />
        )}
        {isFinding && finds && found.rows.length === 0 && <NoMatch found={found} text={text.trim()} />}
        {!isFinding && <RecentEntries entries={served.list} shown={last?.key} onOpen={served.open} />}
        {mayWrite && (
          <Button wide aria-keyshortcuts="F4" onClick={() => setMode('walk-in')}>
            {t('addWalkIn')} <Key name="F4" />
          </Button>
        )}
      </div>
      <div className="desk-panel" ref={panel}>
        <Unsaved value={unsaved.tell}>
          <Panel
            {...{ mode, last, scans, checkIn, text }}
            subject={mode === 'fix' ? fixing : subject}
            point={scans ? settings.point : null}
            actions={{
              onCheckIn: (attendee) => void checkIn.ask({ attendee }),
              onFix: fix,
              onPrint: () => subject !== undefined && void print(subject),
            }}
            onAdded={added}
            onClose={close}
            onFixed={() => void fixed()}
            onCorrected={(key, how) => {
              served.correct(key, how);
              focusField();
            }}
          />
        </Unsaved>
      </div>
      {leaving && <Leave onStay={() => setLeaving(false)} onLeave={close} />}
    </div>
  );
}

function Leave({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  const t = useWords('common');
  return (
    <ConfirmDialog
      danger
      title={t('leaveTitle')}
      action={t('leaveGo')}
      cancel={t('leaveStay')}
      onConfirm={onLeave}
      onClose={onStay}
    >
      <p>{t('leaveText')}</p>
    </ConfirmDialog>
  );
}
