import { useQuery } from '@tanstack/react-query';
import type { Admission } from '@turnout/checkin';
import type { Attendee, CheckIn, Ticket } from '@turnout/client';
import { Button, ProblemNotice, Select, TextField, useWords } from '@turnout/ui';
import { useEffect, useState } from 'react';
import { useCall } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';
import { useOrganization } from '../../../../frame/organization.tsx';
import { StateBadge } from '../../../../parts/status.tsx';
import { useFilters } from '../../../../parts/use-filters.ts';
import { admissionsOf, asAdmissions } from '../admissions.ts';

/** A ticket of somebody who is registered, with what they have done at the doors so far. */
export interface AttendeeTicket {
  attendee: Attendee;
  ticket: Ticket;
  /** Codes of what was booked, for the person and for the whole registration. */
  products: string[];
  admissions: Admission[];
  test: boolean;
}

/** Chooses a person by name or code. Without one, the simulator goes by a made-up person. */
export function AttendeeChooser({
  value,
  onChange,
}: {
  value: AttendeeTicket | null;
  onChange: (value: AttendeeTicket | null) => void;
}) {
  const t = useWords('door');
  const { may } = useOrganization();
  const { values, set } = useFilters();
  const chosen = values.attendee;
  useEffect(() => {
    if (chosen === undefined) onChange(null);
  }, [chosen, onChange]);
  if (!may('people.read')) return <p className="soft small">{t('madeUpOnly')}</p>;
  if (chosen === undefined)
    return <Find onChoose={(attendee) => set({ attendee, ticket: undefined }, { quietly: true })} />;
  return (
    <div className="stack" data-gap="small">
      <div className="row" data-apart="">
        <strong>
          {value !== null && value.attendee.id === chosen && (
            <bdi>{`${value.attendee.first_name} ${value.attendee.last_name}`}</bdi>
          )}
        </strong>
        <Button kind="link" onClick={() => set({ attendee: undefined, ticket: undefined }, { quietly: true })}>
          {t('useMadeUp')}
        </Button>
      </div>
      <ChosenAttendee attendee={chosen} value={value} onChange={onChange} />
    </div>
  );
}

function Find({ onChoose }: { onChoose: (attendee: string) => void }) {
  const t = useWords('door');
  const { base, typeName } = useEvent();
  const [text, setText] = useState('');
  const search = useSettled(text.trim());
  const found = useCall('listAttendees', { ...base, query: { search, limit: 6 } }, { enabled: search.length > 1 });
  return (
    <div className="stack" data-gap="small">
      <TextField
        label={t('findSomebody')}
        hint={t('findSomebodyHint')}
        type="search"
        autoComplete="off"
        value={text}
        onChange={setText}
        required={false}
      />
      <ProblemNotice problem={found.error} />
      {search.length > 1 && found.data !== undefined && (
        <ul className="door-found">
          {found.data.data.map((one) => (
            <li key={one.id}>
              <button type="button" onClick={() => onChoose(one.id)}>
                <bdi>{`${one.first_name} ${one.last_name}`}</bdi>
                <span className="soft small">{typeName(one.attendee_type)}</span>
                <StateBadge kind="registration" value={one.status} />
              </button>
            </li>
          ))}
          {found.data.data.length === 0 && <li className="soft">{t('foundNobody')}</li>}
        </ul>
      )}
    </div>
  );
}

const PAUSE_MS = 200;
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

function ChosenAttendee({
  attendee: id,
  value,
  onChange,
}: {
  attendee: string;
  value: AttendeeTicket | null;
  onChange: (value: AttendeeTicket | null) => void;
}) {
  const t = useWords('door');
  const { base, dayName, points, products, event } = useEvent();
  const { may } = useOrganization();
  const { values, set } = useFilters();
  const attendee = useCall('getAttendee', { ...base, attendee: id });
  const test = event.test || (attendee.data?.test ?? false);
  const registration = useCall(
    'getRegistration',
    { ...base, registration: attendee.data?.registration_id ?? '' },
    { enabled: attendee.data !== undefined && products.length > 0 },
  );
  const tickets = useCall('listTickets', { ...base, query: { attendee: id, limit: 100 } });
  const past = useQuery({
    queryKey: ['listCheckIns', { ...base, attendee: id, test }, 'admissions'],
    enabled: may('door.scan') && attendee.data !== undefined,
    queryFn: ({ signal }) => admissionsOf(base, id, test, signal),
  });
  const all = tickets.data?.data;
  const ticket =
    all?.find((one) => one.id === values.ticket) ?? all?.find(({ status }) => status === 'valid') ?? all?.[0];
  const checkIns = may('door.scan') ? past.data : NONE;
  useEffect(() => {
    if (attendee.data === undefined || ticket === undefined || checkIns === undefined) return;
    const admissions = asAdmissions(checkIns, points);
    if (products.length > 0 && registration.data === undefined) return;
    const booked = [...attendee.data.products, ...(registration.data?.products ?? [])].map(({ product }) => product);
    onChange({ attendee: attendee.data, ticket, products: booked, admissions, test: ticket.test });
  }, [attendee.data, registration.data, ticket, checkIns, points, products, onChange]);
  const problem = attendee.error ?? registration.error ?? tickets.error ?? past.error;
  if (problem !== null) return <ProblemNotice problem={problem} />;
  if (all?.length === 0) return <p className="soft">{t('noTicketYet')}</p>;
  return (
    <>
      {all !== undefined && all.length > 1 && (
        <Select
          label={t('whichTicket')}
          options={all.map((one) => ({
            value: one.id,
            label: one.days.map(dayName).join(', ') || (one.code ?? one.id),
          }))}
          value={ticket?.id ?? ''}
          onChange={(chosen) => set({ ticket: chosen }, { quietly: true })}
        />
      )}
      {value !== null && <p className="soft small">{t('admissionsSoFar', { count: value.admissions.length })}</p>}
    </>
  );
}

const NONE: readonly CheckIn[] = [];
