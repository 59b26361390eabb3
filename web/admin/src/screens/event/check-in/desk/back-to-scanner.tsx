import { useWords } from '@turnout/ui';
import { useEvent } from '../../../../frame/event.tsx';
import { useFilters } from '../../../../parts/use-filters.ts';
import { scannerAt } from '../scan/scanner-at.ts';

/** The way back of a member whom the scanner has sent here with somebody who has no ticket. Nothing for anybody else. */
export function BackToScanner({ point }: { point: string | null }) {
  const t = useWords('desk');
  const { base, event } = useEvent();
  const { values } = useFilters();
  if (values.from !== 'scanner') return null;
  return (
    <a className="button" data-kind="main" data-wide="" href={scannerAt(base.org, event.id, point ?? undefined)}>
      {t('backToScanner')}
    </a>
  );
}
