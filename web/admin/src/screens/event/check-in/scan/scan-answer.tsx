import { Link } from '@tanstack/react-router';
import type { ScanResponse } from '@turnout/client';
import { Badge, Button, useFormats, useWords } from '@turnout/ui';
import { useState } from 'react';
import { useEvent } from '../../../../frame/event.tsx';
import { useOrganization } from '../../../../frame/organization.tsx';
import { StateBadge, useReasonText, useStateText } from '../../../../parts/status.tsx';
import { DoorAnswer } from '../door-answer.tsx';
import { OverrideDialog } from '../override.tsx';
import type { DoorTone } from '../points/simulate.ts';

export interface DoorScan {
  answer: ScanResponse;
  code: string;
  point: string;
}

const TONES: Readonly<Record<ScanResponse['message']['tone'], DoorTone>> = {
  success: 'good',
  warning: 'warn',
  danger: 'bad',
  mixed: 'warn',
};

/** The answer to the last scan: who, what, and for a refusal what a member may do about it. */
export function ScanAnswer({ scan, onOverridden }: { scan: DoorScan; onOverridden: (answer: ScanResponse) => void }) {
  const t = useWords('door');
  const textOf = useStateText();
  const reasonText = useReasonText();
  const { may } = useOrganization();
  const { answer } = scan;
  const [overriding, setOverriding] = useState<string | null>(null);
  const admitted = answer.people.filter((one) => one.admitted).length;
  const mixed = admitted > 0 && admitted < answer.people.length;
  const title = mixed ? t('someAdmitted', { admitted, all: answer.people.length }) : textOf('result', answer.result);
  return (
    <DoorAnswer tone={TONES[answer.message.tone]} title={title} result={answer.result} admitted={answer.admitted}>
      {answer.people.length === 0 && answer.reason !== null && <span>{reasonText(answer.reason)}</span>}
      {answer.people.map((person) => {
        const refused = answer.checkins.find(({ attendee_id, admitted }) => attendee_id === person.id && !admitted);
        return (
          <div key={person.id} className="door-person">
            <Person person={person} mixed={mixed} />
            {refused !== undefined && may('door.override') && (
              <Button size="small" onClick={() => setOverriding(refused.id)}>
                {t('override')}
              </Button>
            )}
          </div>
        );
      })}
      {answer.test && <Badge tone="warn">{t('isTest')}</Badge>}
      {overriding !== null && (
        <OverrideDialog
          checkIn={overriding}
          onClose={() => setOverriding(null)}
          onDone={(done) => {
            setOverriding(null);
            onOverridden(withOverride(answer, done));
          }}
        />
      )}
    </DoorAnswer>
  );
}

/** The answer after a member has let somebody in all the same. */
function withOverride(answer: ScanResponse, done: ScanResponse['checkins'][number]): ScanResponse {
  const { result, attendee_id } = done;
  const people = answer.people.map((one) =>
    one.id === attendee_id ? { ...one, result, reason: null, admitted: true } : one,
  );
  const all = people.every((one) => one.admitted);
  return {
    ...answer,
    ...{ result, reason: null, admitted: true, people },
    checkins: answer.checkins.map((one) => (one.attendee_id === attendee_id ? done : one)),
    message: { ...answer.message, tone: all ? 'success' : 'mixed' },
  };
}

function Person({ person, mixed }: { person: ScanResponse['people'][number]; mixed: boolean }) {
  const t = useWords('door');
  const reasonText = useReasonText();
  const formats = useFormats();
  const { typeName, pointName, base, timezone } = useEvent();
  const { may } = useOrganization();
  const first = person.first_admission ?? null;
  const name = <bdi>{`${person.first_name} ${person.last_name}`}</bdi>;
  return (
    <div>
      <div className="door-name">
        {may('people.read') ? (
          <Link to="/$org/events/$event/people/$attendee" params={{ ...base, attendee: person.id }}>
            {name}
          </Link>
        ) : (
          name
        )}
      </div>
      <div>{typeName(person.attendee_type)}</div>
      {mixed && <StateBadge kind="result" value={person.result} />}
      {person.reason !== null && <div>{reasonText(person.reason)}</div>}
      {first !== null && (
        <div>
          {t('admittedBefore', { when: formats.dateTime(first.at, timezone), where: pointName(first.check_in_point) })}
        </div>
      )}
    </div>
  );
}

/** An earlier scan, in a line. */
export function ScanLine({ scan: { answer, code, point } }: { scan: DoorScan }) {
  const formats = useFormats();
  const { timezone, pointName } = useEvent();
  const names = answer.people.map((one) => `${one.first_name} ${one.last_name}`);
  return (
    <li>
      <span className="number soft">{formats.time(answer.scanned_at, timezone)}</span>
      <StateBadge kind="result" value={answer.result} />
      <bdi className="clip">{names.length === 0 ? code : formats.list(names)}</bdi>
      <span className="soft clip">{pointName(point)}</span>
    </li>
  );
}
