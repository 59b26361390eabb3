import type { Attendee } from '@turnout/client';
import { Notice, ProblemNotice, useFormats, useWords } from '@turnout/ui';
import { useEvent } from '../../../../frame/event.tsx';
import { nameOf } from '../../people/query.ts';
import { DeskAnswer, type DeskEntry } from './desk-answer.tsx';
import { EditPerson, useFormsSoon, WalkIn } from './forms-later.tsx';
import { type PersonActions, PersonAtDesk } from './person.tsx';
import { WalkInNotice } from './recent-entries.tsx';
import type { Repeated } from './repeated-admission.ts';
import type { Serving } from './use-serving.ts';
import type { WalkInResult } from './walk-in.tsx';

export type Mode = 'find' | 'fix' | 'walk-in';

/** Beside the field: the person, the answer of the door, or a form. */
export function Panel({
  mode,
  subject,
  last,
  scans,
  serving,
  text,
  point,
  actions,
  onAdded,
  onClose,
  onFixed,
  onCorrected,
}: {
  mode: Mode;
  subject: Attendee | undefined;
  /** Who was served last, while nobody else is searched. */
  last: DeskEntry | undefined;
  scans: boolean;
  serving: Pick<Serving, 'busy' | 'problem' | 'repeated'>;
  text: string;
  point: string | null;
  actions: PersonActions;
  onAdded: (added: WalkInResult) => void;
  onClose: () => void;
  onFixed: () => void;
  onCorrected: (key: number, how: 'overridden' | 'undone') => void;
}) {
  useFormsSoon();
  if (mode === 'walk-in') return <WalkIn name={text} point={point} onAdded={onAdded} onClose={onClose} />;
  if (mode === 'fix' && subject !== undefined)
    return (
      <section className="stack" aria-labelledby="desk-fix">
        <h2 id="desk-fix">
          <bdi>{nameOf(subject)}</bdi>
        </h2>
        <EditPerson key={subject.id} attendee={subject} onDone={onFixed} />
      </section>
    );
  const answer = last?.answer;
  const repeated = serving.repeated?.attendee === subject?.id ? serving.repeated : null;
  return (
    <>
      <ProblemNotice problem={serving.problem} />
      {repeated !== null && <AlreadyIn repeated={repeated} />}
      {last !== undefined && answer != null && (
        <DeskAnswer key={last.key} entry={{ ...last, answer }} onCorrected={(how) => onCorrected(last.key, how)} />
      )}
      {last !== undefined && answer === null && <WalkInNotice entry={last} />}
      {subject !== undefined && (
        <PersonAtDesk
          key={subject.id}
          attendee={subject}
          isServed={answer != null || repeated !== null}
          wasIn={
            repeated !== null || subject.checked_in || answer?.admitted === true || last?.corrected === 'overridden'
          }
          busy={serving.busy}
          scans={scans}
          point={point}
          actions={actions}
        />
      )}
    </>
  );
}

/** Enter was pressed for somebody whom the door would only refuse as a duplicate: nothing was sent. */
function AlreadyIn({ repeated: { at, point } }: { repeated: Repeated }) {
  const t = useWords('desk');
  const formats = useFormats();
  const { pointName, timezone } = useEvent();
  return (
    <Notice tone="warn" title={t('alreadyIn')}>
      {t('admittedBefore', { when: formats.dateTime(at, timezone), point: pointName(point) })}
    </Notice>
  );
}
