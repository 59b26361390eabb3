import type { Scan } from '@turnout/checkin';
import type { CheckInPoint } from '@turnout/client';
import { Select, TextField, useWords } from '@turnout/ui';
import { useMemo, useState } from 'react';
import { useEvent } from '../../../../frame/event.tsx';
import { useOrganization } from '../../../../frame/organization.tsx';
import { useFilters } from '../../../../parts/use-filters.ts';
import { useGroups } from '../../../groups/tree.ts';
import { AttendeeChooser, type AttendeeTicket } from './attendee-chooser.tsx';
import { MadeUpFields, useMadeUp } from './made-up-person.tsx';
import { simulate, worldOf } from './simulate.ts';
import { SimulationResult } from './simulated-answer.tsx';
import { madeUpTicket, ticketOf } from './simulated-ticket.ts';
import { TimeSlider, useTimes } from './time-slider.tsx';

/** What the door would answer to somebody at a time. It is decided here, in the browser, by the function of the door. */
export function Simulator({ point }: { point: CheckInPoint }) {
  const t = useWords('door');
  const { timezone, days, types, products, points, dayOptions } = useEvent();
  const { may } = useOrganization();
  const { data: groups } = useGroups();
  const world = useMemo(
    () =>
      worldOf({
        ...{ timezone, days, types, products, groups: groups ?? [] },
        points: points.map((one) => (one.id === point.id ? point : one)),
      }),
    [timezone, days, types, products, points, groups, point],
  );
  const [madeUp, setMadeUp] = useMadeUp();
  const [somebody, setSomebody] = useState<AttendeeTicket | null>(null);
  const times = useTimes(point);
  const [others, setOthers] = useState('0');
  const ticket = useMemo(
    () => (somebody === null ? madeUpTicket(madeUp, world) : ticketOf(somebody)),
    [somebody, madeUp, world],
  );
  const scanAt = (at: number): Scan => ({
    ...{ check_in_point: point.code, at, ticket, mode: somebody?.test ? 'test' : 'live' },
    others_inside: Object.fromEntries(days.map(({ code }) => [code, Number(others) || 0])),
  });
  const { values } = useFilters();
  // Until a chosen person is known there is nothing to answer; somebody without a ticket has nothing to show at the door.
  const waiting = may('people.read') && values.attendee !== undefined && somebody?.attendee.id !== values.attendee;
  if (waiting) return <AttendeeChooser value={somebody} onChange={setSomebody} />;
  const simulated = simulate(world, scanAt(times.at));
  return (
    <div className="stack">
      <AttendeeChooser value={somebody} onChange={setSomebody} />
      {somebody === null && <MadeUpFields value={madeUp} onChange={setMadeUp} at={times.at} />}
      {point.policy.capacity !== null && (
        <TextField
          label={t('othersInside')}
          type="number"
          min={0}
          inputMode="numeric"
          value={others}
          onChange={setOthers}
        />
      )}
      {days.length > 1 && (
        <Select label={t('simulatedDay')} options={dayOptions} value={times.day} onChange={times.choose} />
      )}
      <TimeSlider times={times} toneAt={(at) => simulate(world, scanAt(at)).tone} />
      <SimulationResult simulation={simulated} ticket={ticket} point={point} />
    </div>
  );
}
