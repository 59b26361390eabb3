import { Link } from '@tanstack/react-router';
import type { Attendee, Registration } from '@turnout/client';
import { Badge, Button, Notice, ProblemNotice, toast, useWords } from '@turnout/ui';
import { useAction } from '../../../../frame/action.ts';
import { call, useCall, useRefresh } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';
import { HandingOutAtDesk } from '../../../../parts/handing-out.tsx';
import { StateBadge } from '../../../../parts/status.tsx';
import { AnswersOf, Details } from '../../people/attendee/details.tsx';
import { useMayHere } from '../../people/may-here.ts';
import { nameOf } from '../../people/query.ts';
import { hasEnded } from './find.ts';
import { Key } from './key.tsx';
import { Pay } from './pay.tsx';
import { hasTicket } from './tickets.ts';
import { CHANGED } from './use-check-in.ts';
import { useSettled } from './use-find.ts';

/** Whoever flies over the list with the arrow keys does not ask for each registration on the way. */
const WAIT_MS = 150;

export interface PersonActions {
  onCheckIn: (attendee: Attendee) => void;
  onFix: () => void;
  onPrint: () => void;
}

/** The person in front of the desk, with what can be done. `isServed`: they were just checked in, or were not. `wasIn`: they have been admitted, so it would be again. */
export function PersonAtDesk({
  attendee,
  isServed,
  wasIn,
  busy,
  scans,
  point,
  actions,
}: {
  attendee: Attendee;
  isServed: boolean;
  wasIn: boolean;
  busy: boolean;
  /** Whether people can be checked in here. */
  scans: boolean;
  point: string | null;
  actions: PersonActions;
}) {
  const t = useWords('desk');
  const { base } = useEvent();
  const may = useMayHere();
  const settled = useSettled(attendee.registration_id, WAIT_MS);
  const registrationQuery = useCall(
    'getRegistration',
    { ...base, registration: settled },
    { enabled: settled === attendee.registration_id },
  );
  const registration = registrationQuery.data?.id === attendee.registration_id ? registrationQuery.data : undefined;
  const checksIn = scans && hasTicket(attendee);
  return (
    <section className="stack desk-person" data-served={isServed || undefined} aria-labelledby="desk-person">
      <div className="row">
        <h2 id="desk-person">
          <bdi>{nameOf(attendee)}</bdi>
        </h2>
        <StateBadge kind="registration" value={attendee.status} />
        {attendee.checked_in && <StateBadge kind="attendance" value="in" />}
        {attendee.test && <Badge tone="warn">{t('test')}</Badge>}
      </div>
      <div className="buttons desk-actions">
        {checksIn && (
          <Button
            kind={isServed ? 'usual' : 'main'}
            busy={busy}
            onClick={() => actions.onCheckIn(attendee)}
            {...(!isServed && { 'aria-keyshortcuts': 'Enter' })}
          >
            {t(isServed && wasIn ? 'checkInAgain' : 'checkIn')} {!isServed && <Key name="↵" />}
          </Button>
        )}
        {may('people.write') && (
          <Button aria-keyshortcuts="F2" onClick={actions.onFix}>
            {t('fix')} <Key name="F2" />
          </Button>
        )}
        {hasTicket(attendee) && (
          <Button aria-keyshortcuts="F3" onClick={actions.onPrint}>
            {t('print')} <Key name="F3" />
          </Button>
        )}
      </div>
      <Obstacles attendee={attendee} registration={registration} scans={scans} onReady={actions.onCheckIn} />
      <HandingOutAtDesk attendee={attendee} registration={registration} point={point} />
      <Details attendee={attendee} registration={registration} />
      {Object.keys(attendee.answers).length > 0 && (
        <details className="fold" open={Object.keys(attendee.answers).length <= FEW}>
          <summary>{t('answers')}</summary>
          <AnswersOf attendee={attendee} />
        </details>
      )}
      <Link className="small" to="/$org/events/$event/people/$attendee" params={{ ...base, attendee: attendee.id }}>
        {t('openPerson')}
      </Link>
    </section>
  );
}
const FEW = 6;

/** What stands between this person and the door: money, an approval, a ticket. The first control has the mark that Enter goes to. */
function Obstacles({
  attendee,
  registration,
  scans,
  onReady,
}: {
  attendee: Attendee;
  registration: Registration | undefined;
  scans: boolean;
  onReady: (attendee: Attendee) => void;
}) {
  const t = useWords('desk');
  const may = useMayHere();
  if (hasEnded(attendee)) return <Notice tone="bad">{t('hasEnded')}</Notice>;
  if (attendee.status === 'pending_approval')
    return may('people.write') ? (
      <Approve person={attendee} onReady={onReady} />
    ) : (
      <Notice tone="warn">{t('waitsApproval')}</Notice>
    );
  if (attendee.status === 'waitlisted') return <Notice tone="warn">{t('waitsPlace')}</Notice>;
  const due = registration?.balance_minor ?? 0;
  if (due > 0 && registration !== undefined)
    return may('money.record') ? (
      <div data-next="">
        <Pay
          key={`${registration.id} ${due}`}
          attendee={attendee}
          registration={registration}
          scans={scans && !attendee.checked_in}
          onPaid={(attendee) => hasTicket(attendee) && !attendee.checked_in && onReady(attendee)}
        />
      </div>
    ) : (
      <Notice tone="warn">{t('waitsPayment')}</Notice>
    );
  if (!hasTicket(attendee))
    return <Notice tone="warn">{t(attendee.status === 'confirmed' ? 'noTicket' : 'waitsPayment')}</Notice>;
  return null;
}

function Approve({ person, onReady }: { person: Attendee; onReady: (attendee: Attendee) => void }) {
  const t = useWords('desk');
  const { base } = useEvent();
  const refresh = useRefresh();
  const approve = useAction(async (registration: string, { key }: { key: string }) => {
    await call('approveRegistration', { ...base, registration }, { key });
    toast(t('wasApproved'), 'good');
    const attendee = await call('getAttendee', { ...base, attendee: person.id }).catch(() => person);
    void refresh(...CHANGED);
    if (hasTicket(attendee)) onReady(attendee);
  });
  return (
    <Notice tone="warn" title={t('waitsApproval')}>
      <div className="stack" data-gap="small" data-next="">
        <div className="buttons">
          <Button size="small" busy={approve.busy} onClick={() => void approve.run(person.registration_id)}>
            {t('approveAndCheckIn')}
          </Button>
        </div>
        <ProblemNotice problem={approve.problem} />
      </div>
    </Notice>
  );
}
