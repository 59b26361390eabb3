import { ChevronIcon, Menu, useWords } from '@turnout/ui';
import { daysOfPeriod, PERIODS } from './calendar-days.ts';
import { instantOf, localOf } from './zoned.ts';

type Dates = Readonly<Record<'from' | 'to', string | undefined>>;

/** A menu that fills in the two dates of a range, such as *Last 7 days*. `zone`: where it is today. */
export function PeriodMenu({ zone, onChoose }: { zone: string; onChoose: (dates: Dates) => void }) {
  const t = useWords('parts');
  const today = () => localOf(new Date().toISOString(), zone).slice(0, 10);
  return (
    <Menu
      groups={[
        {
          items: PERIODS.map((period) => ({
            id: period,
            label: t(`period.${period}`),
            onAction: () => onChoose(daysOfPeriod(period, today())),
          })),
        },
        {
          items: [
            { id: 'all', label: t('period.allTime'), onAction: () => onChoose({ from: undefined, to: undefined }) },
          ],
        },
      ]}
    >
      {t('period')}
      <ChevronIcon />
    </Menu>
  );
}

/** The same where the range is of moments: from the beginning of its first day to the last minute of its last one. */
export const PeriodMenuOfMoments = ({ zone, onChoose }: { zone: string; onChoose: (moments: Dates) => void }) => (
  <PeriodMenu
    zone={zone}
    onChoose={({ from, to }) =>
      onChoose({
        from: from && (instantOf(`${from}T00:00`, zone) ?? undefined),
        to: to && (instantOf(`${to}T23:59`, zone) ?? undefined),
      })
    }
  />
);
