import { type ReactNode, useState } from 'react';
import { Button, type ButtonKind } from './button.tsx';
import { CheckIcon, CopyIcon } from './icons.tsx';
import { announce, toast } from './toast.tsx';
import { useWords } from './words.tsx';

/** Puts a text into the clipboard. Where the browser has none to offer (plain http), it selects and copies the old way. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'hidden';
    // A dialog that is open makes everything outside of it inert.
    (document.querySelector('dialog[open]') ?? document.body).append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}

/** `what`: what is copied, for those who do not see what stands beside the button. */
export function CopyButton({
  text,
  what,
  kind = 'usual',
  children,
}: {
  text: string;
  what?: string;
  kind?: ButtonKind;
  children?: ReactNode;
}) {
  const t = useWords('common');
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    if (!(await copyText(text))) return toast(t('notCopied'), 'warn');
    announce(t('copied'));
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <Button kind={kind} onClick={copy} aria-label={what === undefined ? undefined : t('copyThis', { what })}>
      {kind !== 'link' && (copied ? <CheckIcon /> : <CopyIcon />)}
      {copied ? t('copied') : (children ?? t('copy'))}
    </Button>
  );
}

/** A text to be copied, such as a secret or a command, with its button. */
export function CopyField({ label, text }: { label: string; text: string }) {
  return (
    <div className="field">
      <span className="legend">{label}</span>
      <div className="copy-field">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it can scroll, and its text can be selected by keyboard */}
        <code tabIndex={0}>{text}</code>
        <CopyButton text={text} what={label} />
      </div>
    </div>
  );
}
