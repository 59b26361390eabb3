import { Dialog, Page, useWords } from '@turnout/ui';
import { type ReactNode, useCallback, useState } from 'react';
import { useEvent } from '../../../frame/event.tsx';
import { useOrganization } from '../../../frame/organization.tsx';
import './form.css';
import { PeekContext, ShowPreview } from './peek.tsx';
import { Preview, type PreviewParts } from './preview.tsx';

/** Whether whoever looks may change the form, and it can be changed. */
export function useMayEdit(): boolean {
  const { may } = useOrganization();
  const { event } = useEvent();
  return may('events.write') && event.status !== 'archived';
}

/** A screen of the form: what is edited, and beside it the form as a registrant sees it. */
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
  const [shown, setShown] = useState(false);
  const show = useCallback(() => setShown(true), []);
  return (
    <Page title={title} lead={lead} actions={actions}>
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
