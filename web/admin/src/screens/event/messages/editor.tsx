import { useNavigate } from '@tanstack/react-router';
import type { Communication } from '@turnout/client';
import {
  Button,
  ConfirmDialog,
  ProblemNotice,
  Radios,
  TextField,
  toast,
  useAllWords,
  useUnsaved,
  useWords,
} from '@turnout/ui';
import { useState } from 'react';
import { useAction } from '../../../frame/action.ts';
import { call, useRefresh } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { MarkdownField } from '../../../parts/markdown-field.tsx';
import { AudienceFields } from './audience.tsx';
import { ClashNotice } from './clash-notice.tsx';
import { PreviewPane } from './preview-pane.tsx';
import { SendDialog } from './send-dialog.tsx';
import { TestDialog } from './test-dialog.tsx';
import { useDraftMessage } from './use-draft.ts';
import './messages.css';

const PLACEHOLDERS = [
  ...(['first_name', 'last_name', 'attendee_type', 'days', 'ticket_codes', 'registration'] as const),
  ...(['event', 'venue', 'organization'] as const),
];

/** Writing a message: whom it is for and what it says at the left, what they get at the right. */
export function Editor({ message, onCreated }: { message: Communication | null; onCreated: (id: string) => void }) {
  const t = useWords('messages');
  const words = useAllWords();
  const draft = useDraftMessage(message, onCreated);
  const { values, set, problem, clash } = draft;
  const [dialog, setDialog] = useState<'test' | 'send' | 'delete' | null>(null);
  useUnsaved(draft.changed && (draft.values.subject !== '' || draft.values.text !== ''));
  const faultOf = (name: string): string | undefined => {
    const detail = problem?.details.find(({ path }) => path === name || path.startsWith(`${name}/`));
    if (detail === undefined) return undefined;
    const known =
      detail.rule === undefined ? null : words.find('refusals', `fault.${detail.rule}`, { count: detail.limit ?? 0 });
    return known ?? detail.message;
  };
  const open = async (which: 'test' | 'send') => {
    if ((await draft.flush()) !== null) setDialog(which);
  };
  return (
    <div className="message-editor">
      <div className="stack">
        {clash !== null && (
          <ClashNotice clash={clash} onMine={() => draft.keepMine(clash)} onTheirs={() => draft.takeTheirs(clash)} />
        )}
        <TextField
          label={t('subject')}
          maxLength={200}
          value={values.subject}
          onChange={(subject) => set({ subject })}
          fault={faultOf('subject')}
        />
        <MarkdownField
          label={t('text')}
          hint={t('textHint')}
          rows={12}
          value={values.text}
          onChange={(text) => set({ text })}
          fault={faultOf('text')}
          placeholders={{
            title: t('placeholders'),
            hint: t('placeholdersHint', { example: `{{first_name|${t('guest')}}}` }),
            items: PLACEHOLDERS.map((name) => ({
              value: `{{${name}}}`,
              label: t(`placeholder.${name}`),
              action: t('insert', { what: t(`placeholder.${name}`) }),
            })),
          }}
        />
        <Radios
          label={t('kind')}
          value={values.kind}
          onChange={(kind) => set({ kind })}
          options={[
            { value: 'service', label: t('kindService'), hint: t('kindServiceHint') },
            { value: 'news', label: t('kindNews'), hint: t('kindNewsHint') },
          ]}
        />
        <section className="stack" data-gap="small" aria-label={t('audience')}>
          <h2>{t('audience')}</h2>
          <AudienceFields value={values.audience} onChange={(audience) => set({ audience })} />
        </section>
        {problem !== null && faultOf('subject') === undefined && faultOf('text') === undefined && (
          <ProblemNotice problem={problem} />
        )}
        <div className="buttons message-actions">
          <Button kind="main" disabled={!draft.complete} onClick={() => void open('send')}>
            {t('send')}
          </Button>
          <Button disabled={!draft.complete} onClick={() => void open('test')}>
            {t('test')}
          </Button>
          {draft.saved.id !== null && (
            <Button kind="quiet" onClick={() => setDialog('delete')}>
              {t('delete')}
            </Button>
          )}
          <span className="soft small" role="status">
            {draft.busy
              ? t('saving')
              : draft.changed
                ? draft.complete
                  ? ''
                  : t('notSaved')
                : draft.saved.id !== null
                  ? t('savedDraft')
                  : ''}
          </span>
        </div>
      </div>
      <PreviewPane communication={draft.saved.id} version={draft.saved.version} />
      {dialog === 'test' && draft.saved.id !== null && (
        <TestDialog communication={draft.saved.id} onClose={() => setDialog(null)} />
      )}
      {dialog === 'send' && draft.saved.id !== null && (
        <SendDialog communication={draft.saved.id} sendAt={message?.send_at ?? null} onClose={() => setDialog(null)} />
      )}
      {dialog === 'delete' && draft.saved.id !== null && (
        <Delete communication={draft.saved.id} onClose={() => setDialog(null)} />
      )}
    </div>
  );
}

function Delete({ communication, onClose }: { communication: string; onClose: () => void }) {
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
