import type { Attendee, Problem } from '@turnout/client';
import { ProblemNotice } from '@turnout/ui';
import { EditPerson } from '../../people/attendee/edit-person.tsx';
import { nameOf } from '../../people/query.ts';
import { DeskAnswer, type DeskEntry } from './desk-answer.tsx';
import { type PersonActions, PersonAtDesk } from './person.tsx';
import { WalkInNotice } from './recent-entries.tsx';
import { WalkIn, type WalkInResult } from './walk-in.tsx';

export type Mode = 'find' | 'fix' | 'walk-in';

/** Beside the field: the person, the answer of the door, or a form. */
export function Panel({
  mode,
  subject,
  last,
  scans,
  checkIn,
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
  checkIn: { busy: boolean; problem: Problem | null };
  text: string;
  point: string | null;
  actions: PersonActions;
  onAdded: (added: WalkInResult) => void;
  onClose: () => void;
  onFixed: () => void;
  onCorrected: (key: number, how: 'overridden' | 'undone') => void;
}) {
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
  return (
    <>
      <ProblemNotice problem={checkIn.problem} />
      {last !== undefined && answer != null && (
        <DeskAnswer key={last.key} entry={{ ...last, answer }} onCorrected={(how) => onCorrected(last.key, how)} />
      )}
      {last !== undefined && answer === null && <WalkInNotice entry={last} />}
      {subject !== undefined && (
        <PersonAtDesk
          key={subject.id}
          attendee={subject}
          isServed={answer != null}
          busy={checkIn.busy}
          scans={scans}
          actions={actions}
        />
      )}
    </>
  );
}
