import { Button, ConfirmDialog, Dialog, Notice, ProblemNotice, RequestId, useAllWords, useWords } from '@turnout/ui';
import { type ReactNode, useEffect } from 'react';
import { useAction } from '../../../frame/action.ts';

/** Asks before something is deleted. What is in use is said at once, with what can be done instead; nobody has to try in vain. */
export function DeletePart({
  title,
  used,
  instead,
  work,
  done,
  onClose,
  children,
}: {
  title: string;
  /** What keeps it from being deleted; empty if nothing is known to. */
  used: readonly string[];
  instead: string;
  work: () => Promise<unknown>;
  done: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const t = useWords('form');
  const common = useWords('common');
  const { language } = useAllWords();
  useFocusSomewhere();
  const remove = useAction(async () => {
    await work();
    done();
  });
  if (used.length > 0)
    return (
      <Dialog title={title} onClose={onClose}>
        <p>{t('inUse')}</p>
        <ul className="used-by">
          {used.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
        <p className="soft">{instead}</p>
        <div className="buttons">
          <Button onClick={onClose}>{common('close')}</Button>
        </div>
      </Dialog>
    );
  const { problem } = remove;
  return (
    <ConfirmDialog
      title={title}
      action={t('delete')}
      danger
      busy={remove.busy}
      onConfirm={() => void remove.run()}
      onClose={onClose}
    >
      {children}
      {/* The server says in English what it is used by; elsewhere it is said in general. */}
      {problem?.code === 'invalid_state' && language !== 'en' ? (
        <Notice tone="bad">
          <p>{t('inUseSomewhere')}</p>
          {problem.requestId !== null && <RequestId id={problem.requestId} />}
        </Notice>
      ) : (
        <ProblemNotice problem={problem} />
      )}
      {problem?.code === 'invalid_state' && <p className="soft">{instead}</p>}
    </ConfirmDialog>
  );
}

/** What was deleted had the focus; whoever goes by keyboard goes on at the top of the page. */
function useFocusSomewhere(): void {
  useEffect(
    () => () => {
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) document.querySelector<HTMLElement>('h1')?.focus();
      });
    },
    [],
  );
}
