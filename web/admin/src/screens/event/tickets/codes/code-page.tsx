import { Link } from '@tanstack/react-router';
import { Page, useWords } from '@turnout/ui';
import type { ReactNode } from 'react';
import { useEvent } from '../../../../frame/event.tsx';
import './codes.css';

/** A screen below the list of codes. */
export function CodePage({
  title,
  lead,
  actions,
  children,
}: {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const t = useWords('selling');
  const { base } = useEvent();
  return (
    <Page
      title={title}
      lead={lead}
      actions={actions}
      crumb={
        <Link to="/$org/events/$event/tickets/codes" params={base}>
          {t('codes')}
        </Link>
      }
    >
      {children}
    </Page>
  );
}
