import { Link } from '@tanstack/react-router';
import { Page, Skeleton, useWords } from '@turnout/ui';
import { useCallback, useState } from 'react';
import { useCall } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { useFilters } from '../../../parts/use-filters.ts';
import { Editor } from './editor.tsx';

/** A new message. As soon as it has a subject and a text it is a draft, and the address says which, so that a reload finds it. */
export default function NewMessage() {
  const t = useWords('messages');
  const { base } = useEvent();
  const { values, set } = useFilters();
  // Only the draft that was in the address at first is loaded; one that is made here is in the editor already.
  const [first] = useState(values.draft);
  const loaded = useCall(
    'getCommunication',
    { ...base, communication: first ?? 'none' },
    { enabled: first !== undefined },
  );
  const created = useCallback((id: string) => set({ draft: id }, { quietly: true }), [set]);
  return (
    <Page
      title={t('newTitle')}
      crumb={
        <Link to="/$org/events/$event/messages" params={base}>
          {t('title')}
        </Link>
      }
    >
      {first !== undefined && loaded.data === undefined && loaded.error === null ? (
        <Skeleton lines={6} />
      ) : (
        <Editor message={loaded.data ?? null} onCreated={created} />
      )}
    </Page>
  );
}
