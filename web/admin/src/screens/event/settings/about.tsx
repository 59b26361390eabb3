import type { Event, EventChange } from '@turnout/client';
import { ComboBox, Section, TextField, useFormats, useWords } from '@turnout/ui';
import { useMemo } from 'react';
import { useEvent } from '../../../frame/event.tsx';
import { DateTimeField, GroupField } from '../../../parts/fields.tsx';
import { useOptions } from '../../events/options.ts';
import { ChangeForm } from './change-form.tsx';
import { ChangeWarning } from './change-warning.tsx';
import { useUsed } from './use-used.ts';

interface Values {
  name: string;
  code: string;
  venue: string;
  timezone: string;
  /** Null: as the days are. */
  starts_at: string | null;
  ends_at: string | null;
  group: string;
}

const bodyOf = ({ venue, group, name, ...rest }: Partial<Values>): EventChange => ({
  ...rest,
  ...(name !== undefined && { name: name.trim() }),
  ...(venue !== undefined && { venue: venue.trim() === '' ? null : venue.trim() }),
  ...(group !== undefined && { group: group === '' ? null : group }),
});

/** What the event is, where and when. */
export function AboutEvent() {
  const t = useWords('events');
  const p = useWords('parts');
  const formats = useFormats();
  const { event, days, timezone } = useEvent();
  const { used } = useUsed();
  const { zones } = useOptions({ timezone });
  // The server answers with the times of the days where nobody has set others. Those are not shown as if somebody had.
  const span = useMemo(() => {
    const sorted = (field: 'opens_at' | 'closes_at') => days.map((day) => Date.parse(day[field])).sort((a, b) => a - b);
    return { from: sorted('opens_at')[0], to: sorted('closes_at').at(-1) };
  }, [days]);
  const of = ({ name, code, venue, timezone: zone, starts_at, ends_at, group }: Event): Values => ({
    ...{ name, code, venue: venue ?? '', timezone: zone, group: group ?? '' },
    starts_at: starts_at !== null && Date.parse(starts_at) === span.from ? null : starts_at,
    ends_at: ends_at !== null && Date.parse(ends_at) === span.to ? null : ends_at,
  });
  const asDays = (at: number | undefined) =>
    at === undefined ? t('timesNoDays') : t('timesAsDays', { when: formats.dateTime(at, timezone) });
  const names = {
    ...{ name: t('name'), code: t('code'), venue: t('venue'), timezone: t('timezone'), group: p('group') },
    ...{ starts_at: t('startsAt'), ends_at: t('endsAt') },
  };
  return (
    <Section title={t('about')}>
      <ChangeForm valuesOf={of} body={bodyOf} names={names}>
        {({ field, values, moved }) => (
          <>
            <TextField label={names.name} maxLength={200} {...field('name')} />
            <TextField label={names.venue} required={false} maxLength={500} {...field('venue')} />
            <div className="columns">
              <DateTimeField
                label={names.starts_at}
                hint={asDays(span.from)}
                required={false}
                zone={values.timezone}
                {...field('starts_at')}
              />
              <DateTimeField
                label={names.ends_at}
                hint={asDays(span.to)}
                required={false}
                zone={values.timezone}
                {...field('ends_at')}
              />
            </div>
            <ComboBox label={names.timezone} options={zones} {...field('timezone')} />
            <ChangeWarning when={moved('timezone') && days.length > 0}>{t('mind.timezone')}</ChangeWarning>
            <TextField
              label={names.code}
              hint={t('codeHint')}
              maxLength={63}
              autoCapitalize="none"
              spellCheck={false}
              {...field('code')}
            />
            <ChangeWarning when={moved('code') && (used || event.status !== 'draft')}>{t('mind.code')}</ChangeWarning>
            <GroupField {...field('group')} />
            <ChangeWarning when={moved('group')}>{t('mind.group')}</ChangeWarning>
          </>
        )}
      </ChangeForm>
    </Section>
  );
}
