import type { Communication } from '@turnout/client';
import { Button, ProblemNotice, Radios, TextField, useUnsaved, useWords } from '@turnout/ui';
import { useState } from 'react';
import { AudienceFields } from './audience.tsx';
import { ClashNotice } from './clash-notice.tsx';
import { DeleteDraft } from './delete-draft.tsx';
import { draftState } from './draft-state.ts';
import { PreviewPane } from './preview-pane.tsx';
import { SendDialog } from './send-dialog.tsx';
import { TestDialog } from './test-dialog.tsx';
import { MessageText } from './text-field.tsx';
import { useDraftMessage } from './use-draft.ts';
import { useFaults } from './use-faults.ts';
import './messages.css';

type DraftMessage = ReturnType<typeof useDraftMessage>;
type DialogName = 'test' | 'send' | 'delete';

/** Writing a message: whom it is for and what it says at the left, what they get at the right. */
export function Editor({ message, onCreated }: { message: Communication | null; onCreated: (id: string) => void }) {
  const draft = useDraftMessage(message, onCreated);
  const { saved, clash } = draft;
  const [dialog, setDialog] = useState<DialogName | null>(null);
  const close = () => setDialog(null);
  useUnsaved(draft.changed && (draft.values.subject !== '' || draft.values.text !== ''));
  const open = async (which: DialogName) => {
    // What is tried out and sent is what was saved.
    if (which === 'delete' || (await draft.flush()) !== null) setDialog(which);
  };
  return (
    <div className="message-editor">
      <div className="stack">
        {clash !== null && (
          <ClashNotice clash={clash} onMine={() => draft.keepMine(clash)} onTheirs={() => draft.takeTheirs(clash)} />
        )}
        <Fields draft={draft} />
        <Actions draft={draft} onOpen={(which) => void open(which)} />
      </div>
      <PreviewPane communication={saved.id} version={saved.version} />
      {saved.id !== null && dialog === 'test' && <TestDialog communication={saved.id} onClose={close} />}
      {saved.id !== null && dialog === 'send' && (
        <SendDialog communication={saved.id} sendAt={message?.send_at ?? null} onClose={close} />
      )}
      {saved.id !== null && dialog === 'delete' && <DeleteDraft communication={saved.id} onClose={close} />}
    </div>
  );
}

function Fields({ draft: { values, set, problem } }: { draft: DraftMessage }) {
  const t = useWords('messages');
  const faultOf = useFaults(problem);
  const isPlaced = faultOf('subject') !== undefined || faultOf('text') !== undefined;
  return (
    <>
      <TextField
        label={t('subject')}
        maxLength={200}
        value={values.subject}
        onChange={(subject) => set({ subject })}
        fault={faultOf('subject')}
      />
      <MessageText value={values.text} onChange={(text) => set({ text })} fault={faultOf('text')} />
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
      {problem !== null && !isPlaced && <ProblemNotice problem={problem} />}
    </>
  );
}

function Actions({ draft, onOpen }: { draft: DraftMessage; onOpen: (dialog: DialogName) => void }) {
  const t = useWords('messages');
  const state = draftState(draft, t);
  return (
    <div className="buttons message-actions">
      <Button kind="main" disabled={!draft.complete} onClick={() => onOpen('send')}>
        {t('send')}
      </Button>
      <Button disabled={!draft.complete} onClick={() => onOpen('test')}>
        {t('test')}
      </Button>
      {draft.saved.id !== null && (
        <Button kind="quiet" onClick={() => onOpen('delete')}>
          {t('delete')}
        </Button>
      )}
      <span className="soft small" role="status">
        {state}
      </span>
    </div>
  );
}
