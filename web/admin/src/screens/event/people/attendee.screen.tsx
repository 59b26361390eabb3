import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { Attendee } from '@turnout/client';
import { isPossible } from '@turnout/contract/registration-states';
import {
  announce,
  BackIcon,
  Button,
  ConfirmDialog,
  Menu,
  MoreIcon,
  NextIcon,
  Page,
  ProblemNotice,
  Section,
  useWords,
} from '@turnout/ui';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useAction } from '../../../frame/action.ts';
import { call, queryOf, useCall } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { QueryResult } from '../../../frame/query-result.tsx';
import { HandingOutSection } from '../../../parts/handing-out.tsx';
import { StateBadge } from '../../../parts/status.tsx';
import { useFilters } from '../../../parts/use-filters.ts';
import { CheckInDialog, canCheckIn } from './attendee/check-in.tsx';
import { AnswersOf, Details } from './attendee/details.tsx';
import { EditPerson, useEditSoon } from './attendee/edit-later.tsx';
import { type Neighbours, useNeighbours } from './attendee/neighbours.ts';
import { BookedByPerson } from './booked/booked-section.tsx';
import { useKeys } from './keys.ts';
import { useMayHere } from './may-here.ts';
import { Money } from './registrations/money.tsx';
import './people.css';
import { useDone } from './attendee/dialog-parts.tsx';
import { Tickets } from './attendee/tickets.tsx';
import { Timeline } from './attendee/timeline.tsx';
import { nameOf } from './query.ts';

/** One person: everything that is known, everything that happened, everything that can be done. */
export default function PersonScreen() {
  const t = useWords('people');
  const { base } = useEvent();
  const { values } = useFilters();
  const { attendee: id } = useParams({ from: '/$org/events/$event/people/$attendee' });
  const neighbours = useNeighbours(id);
  // Going from one to the next shows what the table knows at once.
  const found = useQuery({
    ...queryOf('getAttendee', { ...base, attendee: id }),
    ...(neighbours.row !== undefined && { placeholderData: neighbours.row }),
  });
  useKeys({
    ...{ j: () => neighbours.go(neighbours.next), ArrowRight: () => neighbours.go(neighbours.next) },
    ...{ k: () => neighbours.go(neighbours.previous), ArrowLeft: () => neighbours.go(neighbours.previous) },
  });
  const crumb = (
    <Link to="/$org/events/$event/people" params={base} search={values as never}>
      {t('title')}
    </Link>
  );
  if (found.data === undefined)
    return (
      <Page title={t('person')} crumb={crumb}>
        <QueryResult query={found}>{() => null}</QueryResult>
      </Page>
    );
  return (
    <>
      <ProblemNotice problem={found.error} />
      <Person attendee={found.data} crumb={crumb} neighbours={neighbours} />
    </>
  );
}

type Open = 'edit' | 'check-in' | 'cancel' | null;

function Person({
  attendee,
  crumb,
  neighbours,
}: {
  attendee: Attendee;
  crumb: React.ReactNode;
  neighbours: Neighbours;
}) {
  const t = useWords('people');
  const { base } = useEvent();
  const may = useMayHere();
  // What is open belongs to this person; the buttons stay, so that the focus stays on “next”.
  const [state, setState] = useState<{ id: string; open: Open }>({ id: attendee.id, open: null });
  const open = state.id === attendee.id ? state.open : null;
  const setOpen = (next: Open) => setState({ id: attendee.id, open: next });
  const registration = useCall('getRegistration', { ...base, registration: attendee.registration_id });
  const close = () => setOpen(null);
  useAnnounced(nameOf(attendee));
  useEditSoon();
  const edits = may('people.write') && isPossible('change', attendee.status);
  useKeys({ ...(edits && open === null && { e: () => setOpen('edit') }) });
  return (
    <Page
      title={nameOf(attendee)}
      crumb={crumb}
      lead={
        <span className="row">
          <StateBadge kind="registration" value={attendee.status} />
          {attendee.status === 'confirmed' && (
            <StateBadge kind="attendance" value={attendee.checked_in ? 'in' : 'out'} />
          )}
          {attendee.test && <StateBadge kind="event" value="test" />}
        </span>
      }
      actions={
        <Actions attendee={attendee} edits={edits} editing={open === 'edit'} neighbours={neighbours} onOpen={setOpen} />
      }
    >
      <div className="person">
        <div className="stack" data-gap="large">
          <Section title={t('details')}>
            {open === 'edit' ? (
              <EditPerson key={attendee.id} attendee={attendee} onDone={close} />
            ) : (
              <>
                <Details attendee={attendee} registration={registration.data} />
                <h3>{t('answers')}</h3>
                <AnswersOf attendee={attendee} />
              </>
            )}
          </Section>
          <BookedByPerson key={`${attendee.id} booked`} attendee={attendee} />
          <HandingOutSection key={`handing out ${attendee.id}`} attendee={attendee} registration={registration.data} />
          <Tickets key={attendee.id} attendee={attendee} />
          {registration.data !== undefined && <Money registration={registration.data} brief />}
        </div>
        <Timeline attendee={attendee} registration={registration.data} />
      </div>
      {open === 'check-in' && <CheckInDialog attendee={attendee} onClose={close} />}
      {open === 'cancel' && <CancelPerson attendee={attendee} onClose={close} />}
    </Page>
  );
}

/** Going to somebody else does not move the focus, so the name is said. */
function useAnnounced(name: string): void {
  const first = useRef(true);
  useEffect(() => {
    if (!first.current || document.activeElement?.tagName !== 'H1') announce(name);
    first.current = false;
  }, [name]);
}

function Actions({
  attendee,
  edits,
  editing,
  neighbours: { previous, next, go },
  onOpen,
}: {
  attendee: Attendee;
  edits: boolean;
  editing: boolean;
  neighbours: Neighbours;
  onOpen: (open: Open) => void;
}) {
  const t = useWords('people');
  const may = useMayHere();
  const checks = may('door.scan') && canCheckIn(attendee);
  return (
    <>
      {(previous !== undefined || next !== undefined) && (
        <span className="row" data-gap="none">
          <Step to={previous} label={t('previous')} icon={<BackIcon />} keys="K ArrowLeft" go={go} />
          <Step to={next} label={t('next')} icon={<NextIcon />} keys="J ArrowRight" go={go} />
        </span>
      )}
      {edits && !editing && (
        <Button onClick={() => onOpen('edit')} aria-keyshortcuts="E">
          {t('change')}
        </Button>
      )}
      {checks && (
        <Button kind="main" onClick={() => onOpen('check-in')}>
          {t('checkIn')}
        </Button>
      )}
      {edits && (
        <Menu
          label={t('moreActions')}
          button={{ kind: 'usual', size: 'icon' }}
          groups={[
            { items: [{ id: 'cancel', label: t('cancelPerson'), danger: true, onAction: () => onOpen('cancel') }] },
          ]}
        >
          <MoreIcon />
        </Menu>
      )}
    </>
  );
}

function Step({
  to,
  label,
  icon,
  keys,
  go,
}: {
  to: Attendee | undefined;
  label: string;
  icon: ReactNode;
  keys: string;
  go: Neighbours['go'];
}) {
  return (
    <Button
      size="icon"
      aria-label={to === undefined ? label : `${label}: ${nameOf(to)}`}
      title={`${label} (${keys.split(' ')[0]})`}
      aria-keyshortcuts={keys}
      disabled={to === undefined}
      onClick={() => go(to)}
    >
      {icon}
    </Button>
  );
}

function CancelPerson({ attendee, onClose }: { attendee: Attendee; onClose: () => void }) {
  const t = useWords('people');
  const { base } = useEvent();
  const done = useDone(onClose);
  const cancel = useAction(async (id: string, { key }: { key: string }) => {
    await call('cancelAttendee', { ...base, attendee: id }, { key });
    done(t('wasCancelled'));
  });
  return (
    <ConfirmDialog
      title={t('cancelPersonTitle', { name: nameOf(attendee) })}
      action={t('cancelPerson')}
      cancel={t('back')}
      danger
      busy={cancel.busy}
      onConfirm={() => void cancel.run(attendee.id)}
      onClose={onClose}
    >
      <p>{t('cancelPersonText')}</p>
      <ProblemNotice problem={cancel.problem} />
    </ConfirmDialog>
  );
}
