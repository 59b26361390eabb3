import { Skeleton, useWords } from '@turnout/ui';
import { lazy, Suspense, useState } from 'react';
import { useOrganization } from '../frame/organization.tsx';
import { words } from '../frame/words.ts';
import './fold.css';

// The entries and their words are loaded when somebody opens it.
const Entries = lazy(async () => {
  const [{ History: Shown }] = await Promise.all([import('./audit/history.tsx'), words.need('audit')]);
  return { default: Shown };
});

/**
 * Who changed what of one object, from the audit log; closed until somebody opens it, unless it is the whole content of a section (`open`).
 * Nothing for those who may not read it.
 */
export function History({ object, open }: { object: string; open?: boolean }) {
  const t = useWords('parts');
  const { may } = useOrganization();
  const [opened, setOpened] = useState(false);
  if (!may('tenant.audit')) return null;
  const entries = (
    <Suspense fallback={<Skeleton lines={3} />}>
      <Entries object={object} plain />
    </Suspense>
  );
  if (open) return entries;
  return (
    <details className="fold" onToggle={(event) => event.currentTarget.open && setOpened(true)}>
      <summary>{t('history')}</summary>
      {opened && entries}
    </details>
  );
}
