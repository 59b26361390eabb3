import { Link } from '@tanstack/react-router';
import { Button, ConfirmDialog, ProblemNotice, Section, toast, useWords } from '@turnout/ui';
import { type ReactNode, useState } from 'react';
import { useAction } from '../../../frame/action.ts';
import { call, useRefresh } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { useOrganization } from '../../../frame/organization.tsx';
import { State } from '../../../parts/status.tsx';
import { Opening, usePublish } from '../overview/checklist.tsx';
import { DeleteEvent } from './delete.tsx';
import { useUsed } from './use-used.ts';

type Move = 'close' | 'reopen' | 'archive';
type Asking = Move | 'publish' | 'delete' | null;

/** In which state the event is, and what leads from it to another. */
export function StateOfEvent() {
  const t = useWords('events');
  const { may } = useOrganization();
  const { event } = useEvent();
  const { status } = event;
  const [asking, setAsking] = useState<Asking>(null);
  const close = () => setAsking(null);
  return (
    <Section title={t('state')} lead={t(`stateIs.${status}`)} actions={<State of="event" is={status} />}>
      <ul className="steps">
        {status === 'draft' && <ToPublish />}
        {status === 'closed' && <Step of="publish" onClick={() => setAsking('publish')} />}
        {status === 'published' && <Step of="close" onClick={() => setAsking('close')} />}
        {status === 'archived' && <Step of="reopen" onClick={() => setAsking('reopen')} />}
        {status !== 'archived' && <Step of="archive" onClick={() => setAsking('archive')} />}
        {may('events.delete') && <Deletion onClick={() => setAsking('delete')} />}
      </ul>
      {asking === 'publish' && <PublishAgain onClose={close} />}
      {(asking === 'close' || asking === 'reopen' || asking === 'archive') && <Moving to={asking} onClose={close} />}
      {asking === 'delete' && <DeleteEvent onClose={close} />}
    </Section>
  );
}

function Step({ of, onClick }: { of: Move | 'publish'; onClick: () => void }) {
  const t = useWords('events');
  return (
    <li>
      <div>
        <h3>{t(`move.${of}`)}</h3>
        <p>{t(`moveText.${of}`)}</p>
      </div>
      <Button onClick={onClick}>{t(`move.${of}`)}</Button>
    </li>
  );
}

/** A draft is published where the list of what is missing stands. */
function ToPublish() {
  const t = useWords('events');
  const { base } = useEvent();
  return (
    <li>
      <div>
        <h3>{t('publish')}</h3>
        <p>{t('publishWhere')}</p>
      </div>
      <Link className="button" to="/$org/events/$event" params={base}>
        {t('toChecklist')}
      </Link>
    </li>
  );
}

/** Why it can or cannot be deleted; the button only where it can. */
function Deletion({ onClick }: { onClick: () => void }) {
  const t = useWords('events');
  const { event } = useEvent();
  const { used } = useUsed();
  const kept = used && !event.test;
  const state = event.status === 'draft' || event.status === 'archived';
  return (
    <li>
      <div>
        <h3>{t('delete')}</h3>
        <p>{t(kept ? 'deleteKept' : state ? 'deleteText' : 'deleteArchive')}</p>
      </div>
      {state && !kept && (
        <Button kind="danger" onClick={onClick}>
          {t('delete')}
        </Button>
      )}
    </li>
  );
}

function Moving({ to, onClose }: { to: Move; onClose: () => void }) {
  const t = useWords('events');
  const { base, event } = useEvent();
  const refresh = useRefresh();
  const move = useAction(async ({ key }: { key: string }) => {
    await call(to === 'archive' ? 'archiveEvent' : 'closeEvent', base, { key });
    toast(t(`moved.${to}`), 'good');
    onClose();
    await refresh('getEvent', 'listEvents', 'getOverview');
  });
  return (
    <Ask
      title={t(`moveTitle.${to}`, { name: event.name })}
      action={t(`move.${to}`)}
      of={move}
      onClose={onClose}
      onConfirm={() => void move.run()}
    >
      {t(`moveText.${to}`)}
    </Ask>
  );
}

function PublishAgain({ onClose }: { onClose: () => void }) {
  const t = useWords('events');
  const { event } = useEvent();
  const publish = usePublish(onClose);
  return (
    <Ask
      title={t('publishTitle', { name: event.name })}
      action={t('publish')}
      of={publish}
      onClose={onClose}
      onConfirm={() => void publish.run()}
    >
      <Opening />
    </Ask>
  );
}

function Ask({
  of,
  children,
  ...dialog
}: {
  title: string;
  action: string;
  of: { busy: boolean; problem: unknown };
  onClose: () => void;
  onConfirm: () => void;
  children: ReactNode;
}) {
  return (
    <ConfirmDialog {...dialog} busy={of.busy}>
      <p>{children}</p>
      <ProblemNotice problem={of.problem} />
    </ConfirmDialog>
  );
}
