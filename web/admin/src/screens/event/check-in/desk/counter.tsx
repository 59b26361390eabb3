import { Button, ConfirmDialog, Unsaved, useWords } from '@turnout/ui';
import { type RefObject, useEffect, useRef } from 'react';
import { useMayHere } from '../../people/may-here.ts';
import { nameOf } from '../../people/query.ts';
import { BackToScanner } from './back-to-scanner.tsx';
import { allInCount } from './find.ts';
import { FindField } from './find-field.tsx';
import { FoundList } from './found.tsx';
import { Key } from './key.tsx';
import { Panel } from './panel.tsx';
import { NoMatch, RecentEntries } from './recent-entries.tsx';
import type { Settings } from './settings.tsx';
import { hasTicket } from './tickets.ts';
import { useServed } from './use-desk.ts';
import { type Finding, useFinding } from './use-finding.ts';
import { useForms } from './use-forms.ts';
import { useFocusField, useHands } from './use-hands.ts';
import { usePrint } from './use-print.ts';
import { useServing } from './use-serving.ts';
import { useWedge } from './use-wedge.ts';
import type { WalkInResult } from './walk-in.tsx';

/** The button that puts the last answer of the door right. */
const CORRECT = '[data-correct]';

/** The desk at work. `scans`: people can be checked in here. */
export function Counter({ settings, finds, scans }: { settings: Settings; finds: boolean; scans: boolean }) {
  const may = useMayHere();
  const field = useRef<HTMLInputElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const focusField = useFocusField(field);
  const finding = useFinding();
  const { isFinding, setText } = finding;
  const served = useServed(settings.sound);
  const mayWrite = finds && may('people.write');
  const forms = useForms(finding, focusField, mayWrite);
  const isForm = forms.mode !== 'find';
  const point = scans ? settings.point : null;
  const serving = useServing({ finding, served, point, finds, isForm, focusField, panel });
  const print = usePrint(settings.format);

  const last = isFinding ? undefined : served.shown;
  const subject = (isFinding ? finding.chosen : last?.attendee) ?? undefined;
  const added = ({ attendee, answer, problem }: WalkInResult) => {
    if (answer !== null) void served.answered(answer, { attendee });
    else served.add({ attendee, name: nameOf(attendee), answer: null, ...(problem !== null && { problem }) });
    setText('');
    forms.close();
  };
  useWedge(serving.scan);
  useHands(field, {
    isForm,
    keys: {
      F2: !isForm && subject !== undefined && mayWrite ? () => forms.fix(subject) : undefined,
      F3: subject !== undefined && hasTicket(subject) ? () => void print(subject) : undefined,
      F4: !isForm && mayWrite ? forms.addWalkIn : undefined,
      F8: isForm ? undefined : () => panel.current?.querySelector<HTMLElement>(CORRECT)?.click(),
      Escape: isForm ? forms.leave : undefined,
    },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: also after it was chosen where the desk is
  useEffect(focusField, [focusField, scans]);

  return (
    <div className="desk" data-mode={forms.mode}>
      <Find
        {...{ field, finding, finds, served }}
        inert={isForm}
        onEnter={() => serving.pressEnter(last?.answer === null ? last.attendee : null)}
        onAddWalkIn={mayWrite ? forms.addWalkIn : null}
      />
      <div className="desk-panel" ref={panel}>
        {!isForm && <BackToScanner point={settings.point} />}
        <Unsaved value={forms.tellUnsaved}>
          <Panel
            {...{ last, scans, serving, point }}
            mode={forms.mode}
            text={finding.text}
            subject={forms.mode === 'fix' ? forms.fixing : subject}
            actions={{
              onCheckIn: serving.ask,
              onFix: () => subject !== undefined && forms.fix(subject),
              onPrint: () => subject !== undefined && void print(subject),
            }}
            onAdded={added}
            onClose={forms.close}
            onFixed={() => void forms.fixed()}
            onCorrected={(key, how) => {
              served.correct(key, how);
              focusField();
            }}
          />
        </Unsaved>
      </div>
      {forms.leaving && <Leave onStay={forms.stay} onLeave={forms.close} />}
    </div>
  );
}

/** The field, and below it whom it finds, or who was here before. */
function Find({
  field,
  finding,
  finds,
  served,
  inert,
  onEnter,
  onAddWalkIn,
}: {
  field: RefObject<HTMLInputElement | null>;
  finding: Finding;
  finds: boolean;
  served: ReturnType<typeof useServed>;
  inert: boolean;
  onEnter: () => void;
  /** Null: this member may add nobody. */
  onAddWalkIn: (() => void) | null;
}) {
  const t = useWords('desk');
  const { text, setText, found, chosen, choose, step, isFinding, isShared } = finding;
  const allIn = allInCount(found.rows);
  return (
    <div className="desk-find" inert={inert}>
      <FindField
        {...{ field, text, finds, found, chosen, onEnter }}
        onChange={setText}
        onStep={step}
        onEscape={() => (isFinding ? setText('') : served.open(null))}
      />
      {isShared && (
        <p className="desk-help">
          {allIn === null ? t('whoIsHere', { count: found.rows.length }) : t('allAreIn', { count: allIn })}
        </p>
      )}
      {isFinding && found.rows.length > 0 && (
        <FoundList found={found} chosen={chosen} onChoose={({ id }) => choose(id)} />
      )}
      {isFinding && finds && found.rows.length === 0 && <NoMatch found={found} text={text.trim()} />}
      {!isFinding && <RecentEntries entries={served.list} shown={served.shown?.key} onOpen={served.open} />}
      {onAddWalkIn !== null && (
        <Button wide aria-keyshortcuts="F4" onClick={onAddWalkIn}>
          {t('addWalkIn')} <Key name="F4" />
        </Button>
      )}
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
