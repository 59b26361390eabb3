import type { CheckInPoint, Registration } from '@turnout/client';
import { Button, Checkboxes, CloseIcon, Select, useWords } from '@turnout/ui';
import { useState } from 'react';
import { useEvent } from '../../../../frame/event.tsx';
import { DateTimeField, DaysField, GroupField, TypeField } from '../../../../parts/fields.tsx';
import { useStateOptions } from '../../../../parts/status.tsx';

/** A person who does not exist, to try the rules with. */
export interface MadeUpPerson {
  type: string;
  days: string[];
  group: string;
  products: string[];
  status: Registration['status'];
  ticket: 'valid' | 'voided';
  earlier: { id: number; point: string; at: string }[];
}

/** Somebody whom most doors admit: confirmed, with a valid ticket for every day. */
export function useMadeUp() {
  const { types, days } = useEvent();
  return useState<MadeUpPerson>(() => ({
    ...{ type: types[0]?.code ?? '', days: days.map(({ code }) => code), group: '', products: [] },
    ...{ status: 'confirmed', ticket: 'valid', earlier: [] },
  }));
}

const HOUR = 3_600_000;

export function MadeUpFields({
  value,
  onChange,
  at,
}: {
  value: MadeUpPerson;
  onChange: (value: MadeUpPerson) => void;
  /** The time that is tried, before which earlier admissions are likely. */
  at: number;
}) {
  const t = useWords('door');
  const options = useStateOptions();
  const { points, products } = useEvent();
  const set = (change: Partial<MadeUpPerson>) => onChange({ ...value, ...change });
  const add = () => {
    const entry = points.find(({ kind }) => kind === 'entry') ?? points[0]!;
    const id = 1 + Math.max(0, ...value.earlier.map((one) => one.id));
    set({ earlier: [...value.earlier, { id, point: entry.code, at: new Date(at - HOUR).toISOString() }] });
  };
  return (
    <div className="stack">
      <div className="door-columns">
        <TypeField value={value.type} onChange={(type) => set({ type })} />
        <GroupField value={value.group} onChange={(group) => set({ group })} />
        <Select
          label={t('registrationIs')}
          options={options('registration')}
          value={value.status}
          onChange={(status) => status !== '' && set({ status })}
        />
        <Select
          label={t('ticketIs')}
          options={options('ticket')}
          value={value.ticket}
          onChange={(ticket) => ticket !== '' && set({ ticket })}
        />
      </div>
      <DaysField label={t('daysOnTicket')} value={value.days} onChange={(days) => set({ days })} />
      {products.length > 0 && (
        <Checkboxes
          label={t('productsBooked')}
          options={products.map(({ code, name }) => ({ value: code, label: name }))}
          value={value.products}
          onChange={(booked) => set({ products: booked })}
        />
      )}
      {value.earlier.map((one, i) => (
        <EarlierAdmission
          key={one.id}
          admission={one}
          points={points}
          onChange={(change) =>
            set({ earlier: value.earlier.map((old, j) => (j === i ? { ...old, ...change } : old)) })
          }
          onRemove={() => set({ earlier: value.earlier.filter((old) => old.id !== one.id) })}
        />
      ))}
      <div className="buttons">
        <Button size="small" onClick={add}>
          {t('addEarlier')}
        </Button>
      </div>
    </div>
  );
}

function EarlierAdmission({
  admission,
  points,
  onChange,
  onRemove,
}: {
  admission: MadeUpPerson['earlier'][number];
  points: readonly CheckInPoint[];
  onChange: (change: { point?: string; at?: string }) => void;
  onRemove: () => void;
}) {
  const t = useWords('door');
  const { timezone } = useEvent();
  return (
    <div className="door-earlier">
      <Select
        label={t('earlierAt')}
        options={points.map(({ code, name }) => ({ value: code, label: name }))}
        value={admission.point}
        onChange={(point) => point !== '' && onChange({ point })}
      />
      <DateTimeField
        label={t('earlierWhen')}
        zone={timezone}
        value={admission.at}
        onChange={(at) => at !== null && onChange({ at })}
      />
      <Button kind="quiet" size="small" aria-label={t('removeEarlier')} onClick={onRemove}>
        <CloseIcon />
      </Button>
    </div>
  );
}
