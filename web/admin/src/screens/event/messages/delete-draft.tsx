import { useNavigate } from '@tanstack/react-router';
import { ConfirmDialog, ProblemNotice, toast, useWords } from '@turnout/ui';
import { useAction } from '../../../frame/action.ts';
import { call, useRefresh } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';

export function DeleteDraft({ communication, onClose }: { communication: string; onClose: () => void }) {
  const t = useWords('messages');
  const { base } = useEvent();
  const navigate = useNavigate();
  const refresh = useRefresh();
  const remove = useAction(async () => {
    await call('deleteCommunication', { ...base, communication });
    toast(t('deleted'), 'good');
    await navigate({ to: '/$org/events/$event/messages', params: base });
    await refresh('listCommunications');
  });
  return (
    <ConfirmDialog
      title={t('deleteTitle')}
      action={t('delete')}
      danger
      busy={remove.busy}
      onConfirm={() => void remove.run()}
      onClose={onClose}
    >
      <ProblemNotice problem={remove.problem} />
    </ConfirmDialog>
  );
}
