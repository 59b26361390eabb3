import { Link } from '@tanstack/react-router';
import { Button, ConfirmDialog, ProblemNotice, Section, toast, useWords } from '@turnout/ui';
import { type ReactNode, useState } from 'react';
import { useAction } from '../../../frame/action.ts';
import { call, useRefresh } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { useOrganization } from '../../../frame/organization.tsx';
import { StateBadge } from '../../../parts/status.tsx';
import { Opening, usePublish } from '../overview/checklist.tsx';
import { DeleteEvent } from './delete.tsx';
import { useUsed } from './use-used.ts';

type Move = 'close' | 'reopen' | 'archive';
type OpenDialog = Move | 'publish' | 'delete' | null;

/** In which state the event is, and what leads from it to another. */
export function EventStateSection() {
  const t = useWords('events');
  const { may } = useOrganization();
  const { event } = useEvent();
  const { status } = event;
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const close = () => setDialog(null);
  return (
    <Section title={t('state')} lead={t(`stateIs.${status}`)} actions={<StateBadge kind="event" value={status} />}>
      <ul className="steps">
        {status === 'draft' && <ToPublish />}
        {status === 'closed' && <MoveItem move="publish" onClick={() => setDialog('publish')} />}
        {status === 'published' && <MoveItem move="close" onClick={() => setDialog('close')} />}
        {status === 'archived' && <MoveItem move="reopen" onClick={() => setDialog('reopen')} />}
        {status !== 'archived' && <MoveItem move="archive" onClick={() => setDialog('archive')} />}
        {may('events.delete') && <Deletion onClick={() => setDialog('delete')} />}
      </ul>
      {dialog === 'publish' && <PublishAgain onClose={close} />}
      {(dialog === 'close' || dialog === 'reopen' || dialog === 'archive') && (
        <MoveDialog to={dialog} onClose={close} />
      )}
      {dialog === 'delete' && <DeleteEvent onClose={close} />}
    </Section>
  );
}

function MoveItem({ move, onClick }: { move: Move | 'publish'; onClick: () => void }) {
  const t = useWords('events');
  return (
    <li>
      <div>
        <h3>{t(`move.${move}`)}</h3>
        <p>{t(`moveText.${move}`)}</p>
      </div>
      <Button onClick={onClick}>{t(`move.${move}`)}</Button>
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

function MoveDialog({ to, onClose }: { to: Move; onClose: () => void }) {
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
    <AskDialog
      title={t(`moveTitle.${to}`, { name: event.name })}
      action={t(`move.${to}`)}
      work={move}
      onClose={onClose}
      onConfirm={() => void move.run()}
    >
      {t(`moveText.${to}`)}
    </AskDialog>
  );
}

function PublishAgain({ onClose }: { onClose: () => void }) {
  const t = useWords('events');
  const { event } = useEvent();
  const publish = usePublish(onClose);
  return (
    <AskDialog
      title={t('publishTitle', { name: event.name })}
      action={t('publish')}
      work={publish}
      onClose={onClose}
      onConfirm={() => void publish.run()}
    >
      <Opening />
    </AskDialog>
  );
}

function AskDialog({
  work,
  children,
  ...dialog
}: {
  title: string;
  action: string;
  work: { busy: boolean; problem: unknown };
  onClose: () => void;
  onConfirm: () => void;
  children: ReactNode;
}) {
  return (
    <ConfirmDialog {...dialog} busy={work.busy}>
      <p>{children}</p>
      <ProblemNotice problem={work.problem} />
    </ConfirmDialog>
  );
}
