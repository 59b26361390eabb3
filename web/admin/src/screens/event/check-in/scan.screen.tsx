import { Link, Navigate } from '@tanstack/react-router';
import type { CheckInPoint, ScanResponse } from '@turnout/client';
import {
  Button,
  Checkbox,
  EmptyState,
  Notice,
  Page,
  ProblemNotice,
  readChoice,
  ScanIcon,
  Section,
  Select,
  Spinner,
  storeChoice,
  TextField,
  useWords,
} from '@turnout/ui';
import { sentenceOf } from '@turnout/words/point-sentence';
import { type FormEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useAction } from '../../../frame/action.ts';
import { call } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { useOrganization } from '../../../frame/organization.tsx';
import { useFilters } from '../../../parts/use-filters.ts';
import { uuidOf } from './desk/use-check-in.ts';
import { useDoorRefresh } from './override.tsx';
import './check-in.css';
import { useWriting } from './points/use-writing.ts';
import { type DoorScan, ScanAnswer, ScanLine } from './scan/scan-answer.tsx';
import { scannerAt } from './scan/scanner-at.ts';

/** Scanning in the browser, without pairing: one field for a code, and the answer in the colours of the door. */
export default function Door() {
  const t = useWords('door');
  const { base, points } = useEvent();
  const { may } = useOrganization();
  const { point, choose } = usePoint();
  if (!may('door.scan')) return <Navigate to="/$org/events/$event/check-in/live" params={base} replace />;
  return (
    <Page title={t('title')} lead={t('scanLead')} actions={points.length > 0 && <OpenScanner point={point} />}>
      {points.length === 0 ? (
        <EmptyState
          title={t('noPoints')}
          action={
            may('events.write') && (
              <Link className="button" data-kind="main" to="/$org/events/$event/check-in/points" params={base}>
                {t('toPoints')}
              </Link>
            )
          }
        >
          {t('noPointsText')}
        </EmptyState>
      ) : point === undefined ? (
        <ChoosePoint onChoose={choose} />
      ) : (
        <ScanHere point={point} onPoint={choose} />
      )}
    </Page>
  );
}

/** The scanner has the camera, and works without a network. It goes on in the session of this member, at the point that is chosen here. */
function OpenScanner({ point }: { point: CheckInPoint | undefined }) {
  const t = useWords('door');
  const { base, event } = useEvent();
  return (
    <a className="button door-scanner" data-kind="main" href={scannerAt(base.org, event.id, point?.code)}>
      <ScanIcon /> {t('openScanner')}
    </a>
  );
}

const MAX_LINES = 20;

/** Where this is: as the address says, where the browser was last, or the only point. Undefined: it has to be asked. */
function usePoint(): { point: CheckInPoint | undefined; choose: (code: string) => void } {
  const { event, points } = useEvent();
  const { values, set } = useFilters();
  const pointKey = `turnout.door.point.${event.id}`;
  const known = (code: string | null | undefined) => points.find((one) => one.code === code);
  const only = points.length === 1 ? points[0] : undefined;
  const choose = (code: string) => {
    storeChoice(pointKey, code);
    set({ check_in_point: code }, { quietly: true });
  };
  return { point: known(values.check_in_point) ?? known(readChoice(pointKey)) ?? only, choose };
}

function ChoosePoint({ onChoose }: { onChoose: (code: string) => void }) {
  const t = useWords('door');
  const { points } = useEvent();
  return (
    <section className="card" aria-label={t('chooseTitle')}>
      <h2>{t('chooseTitle')}</h2>
      <p className="soft">{t('chooseText')}</p>
      <div className="buttons">
        {points.map(({ code, name }) => (
          <Button key={code} onClick={() => onChoose(code)}>
            <bdi>{name}</bdi>
          </Button>
        ))}
      </div>
    </section>
  );
}

function ScanHere({ point, onPoint }: { point: CheckInPoint; onPoint: (code: string) => void }) {
  const t = useWords('door');
  const writing = useWriting();
  const { base, points } = useEvent();
  const { values, set } = useFilters();
  const test = values.test === 'true';
  const refresh = useDoorRefresh();
  const [code, setCode] = useState('');
  const [scans, setScans] = useState<readonly DoorScan[]>([]);
  const form = useRef<HTMLFormElement>(null);
  const scan = useAction(async (ticketCode: string, at: string, isTest: boolean, { key }: { key: string }) => {
    const body = { code: ticketCode, check_in_point: at, client_uuid: uuidOf(key), ...(isTest && { test: true }) };
    const answer = await call('scanTicket', { ...base, body }, { key });
    void refresh();
    setScans((before) => [{ answer, code: ticketCode, point: at }, ...before].slice(0, MAX_LINES));
    return answer;
  });
  /** What was read and is not answered yet, with the point that it was read at. The first one is asked. */
  const turns = useRef<Parameters<typeof scan.run>[]>([]);
  useFocusKept(form);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    const read = code.trim();
    if (read === '') return;
    // The field is empty at once, so that the next code of a scanner is not written behind this one.
    setCode('');
    if (scan.isRunning()) {
      // A ticket that is held in front of a scanner is read again and again.
      if (turns.current.every(([waiting]) => waiting !== read)) turns.current.push([read, point.code, test]);
      return;
    }
    turns.current.unshift([read, point.code, test]);
    for (let [next] = turns.current; next !== undefined; [next] = turns.current) {
      const answer = await scan.run(...next);
      turns.current.shift();
      if (answer !== undefined) continue;
      // It is tried again from the field; those behind it come after that.
      const [failed] = next;
      setCode((typed) => (typed === '' ? failed : typed));
      break;
    }
    fieldOf(form)?.focus();
  };
  const replaceAnswer = (answer: ScanResponse) =>
    setScans((before) => before.map((one, i) => (i === 0 ? { ...one, answer } : one)));
  return (
    <div className="door-scan">
      <form className="stack" onSubmit={send} ref={form} noValidate>
        <Select
          label={t('point')}
          options={points.map(({ code: value, name }) => ({ value, label: name }))}
          value={point.code}
          onChange={onPoint}
        />
        <p className="soft small">{sentenceOf(point, writing)}</p>
        <div className="door-code">
          <TextField
            label={t('code')}
            hint={t('codeHint')}
            value={code}
            onChange={setCode}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={500}
            name="code"
            autoFocus
          />
          {/* A busy button would swallow the Enter behind the next code. */}
          <Button type="submit" kind="main">
            {t('scanIt')}
            {scan.busy && <Spinner />}
          </Button>
        </div>
        <Checkbox
          label={t('scanTest')}
          hint={t('scanTestHint')}
          value={test}
          onChange={(on) => set({ test: on ? 'true' : undefined }, { quietly: true })}
        />
        {test && <Notice tone="warn">{t('scanTestOn')}</Notice>}
      </form>
      <div className="stack" data-answered={scans.length > 0}>
        <ProblemNotice problem={scan.problem} />
        {scans[0] === undefined ? (
          <div className="door-answer door-waiting" role="status">
            {t('scanWaiting')}
          </div>
        ) : (
          <ScanAnswer key={scans[0].answer.scanned_at} scan={scans[0]} onOverridden={replaceAnswer} />
        )}
        {scans.length > 1 && (
          <Section title={t('scansBefore')}>
            <ul className="door-lines">
              {scans.slice(1).map((one) => (
                <ScanLine key={`${one.answer.scanned_at} ${one.code}`} scan={one} />
              ))}
            </ul>
          </Section>
        )}
      </div>
    </div>
  );
}

const fieldOf = (form: RefObject<HTMLFormElement | null>) =>
  form.current?.querySelector<HTMLInputElement>('input[name="code"]');

/** A scanner that types must always find the field: keys that go nowhere else go there. */
function useFocusKept(form: RefObject<HTMLFormElement | null>): void {
  useLayoutEffect(() => {
    const catchKey = (event: KeyboardEvent) => {
      const nowhere = document.activeElement === null || document.activeElement === document.body;
      const isHeading = document.activeElement instanceof HTMLHeadingElement;
      if ((nowhere || isHeading) && event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey)
        fieldOf(form)?.focus();
    };
    document.addEventListener('keydown', catchKey, true);
    return () => document.removeEventListener('keydown', catchKey, true);
  }, [form]);
}
