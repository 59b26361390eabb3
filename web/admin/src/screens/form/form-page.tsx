import { Link } from '@tanstack/react-router';
import { Dialog, Page, Tabs, useFormats, useWords } from '@turnout/ui';
import { type ReactNode, useCallback, useState } from 'react';
import { useEvent } from '../../frame/event.tsx';
import { useOrganization } from '../../frame/organization.tsx';
import './form.css';
import { PeekContext, ShowPreview } from './peek.tsx';
import { Preview, type PreviewParts } from './preview.tsx';

/** Whether whoever looks may change the form, and it can be changed. */
export function useMayEdit(): boolean {
  const { may } = useOrganization();
  const { event } = useEvent();
  return may('events.write') && event.status !== 'archived';
}

/** A screen of the form: its tabs, what is edited, and beside it the form as a registrant sees it. */
export function FormPage({
  title,
  lead,
  actions,
  preview,
  children,
}: {
  title: string;
  lead: string;
  actions: ReactNode;
  preview: PreviewParts;
  children: ReactNode;
}) {
  const t = useWords('form');
  const formats = useFormats();
  const { base, days, types, questions } = useEvent();
  const [shown, setShown] = useState(false);
  const show = useCallback(() => setShown(true), []);
  const count = (list: readonly unknown[]) => <span className="soft number"> {formats.number(list.length)}</span>;
  return (
    <Page title={title} lead={lead} actions={actions}>
      <Tabs label={t('title')}>
        <Link to="/$org/events/$event/form/days" params={base}>
          {t('days')}
          {count(days)}
        </Link>
        <Link to="/$org/events/$event/form/types" params={base}>
          {t('types')}
          {count(types)}
        </Link>
        <Link to="/$org/events/$event/form/questions" params={base}>
          {t('questions')}
          {count(questions)}
        </Link>
      </Tabs>
      <div className="form-room">
        <div className="form-show">
          <ShowPreview show={show} />
        </div>
        <div className="form-split">
          <div className="form-edit">
            <PeekContext value={show}>{children}</PeekContext>
          </div>
          <aside className="form-aside" aria-label={t('preview')}>
            <h2>{t('preview')}</h2>
            <Preview {...preview} />
          </aside>
        </div>
      </div>
      {shown && (
        <Dialog title={t('preview')} onClose={() => setShown(false)}>
          <Preview {...preview} />
        </Dialog>
      )}
    </Page>
  );
}
