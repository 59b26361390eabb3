import {
  BoldIcon,
  BracesIcon,
  Button,
  HeadingIcon,
  type Icon,
  ItalicIcon,
  LinkIcon,
  ListIcon,
  useWords,
} from '@turnout/ui';
import { type KeyboardEvent, type RefObject, useRef, useState } from 'react';
import { type Edit, editBy, insertAt, type Tool } from './markdown-edit.ts';
import './markdown.css';
import { Popup } from './popup.tsx';

const TOOLS: readonly (readonly [tool: Tool, icon: Icon, keys?: string])[] = [
  ['bold', BoldIcon, 'Control+B'],
  ['italic', ItalicIcon, 'Control+I'],
  ['heading', HeadingIcon],
  ['list', ListIcon],
  ['link', LinkIcon],
];

/** What can be put into the text, each filled for the person who reads it. */
export interface Placeholders {
  title: string;
  hint: string;
  items: readonly { value: string; label: string; action: string }[];
}

/** Does something with what is selected in a field. It is done as if it were typed, so that the browser can undo it. */
export function applyEdit(area: HTMLTextAreaElement, { from, to, insert, select }: Edit): void {
  area.focus();
  area.setSelectionRange(from, to);
  const isDone = document.execCommand(insert === '' ? 'delete' : 'insertText', false, insert);
  if (!isDone) {
    // Where the browser cannot type for us, there is no undo, but the text is right.
    area.setRangeText(insert, from, to, 'end');
    area.dispatchEvent(new Event('input', { bubbles: true }));
  }
  area.setSelectionRange(select[0], select[1]);
}

const selectedIn = ({ value, selectionStart, selectionEnd }: HTMLTextAreaElement) => ({
  ...{ text: value, from: selectionStart, to: selectionEnd },
});

/** Control and B or I (Command on a Mac), while the focus is in the field. */
export function pressTool(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
  const tool = event.key === 'b' ? 'bold' : event.key === 'i' ? 'italic' : null;
  if (tool === null) return;
  event.preventDefault();
  applyEdit(event.currentTarget, editBy(tool, selectedIn(event.currentTarget)));
}

const BUTTONS = ':scope > button, :scope > .popup > button';

/** Tools for the Markdown in a field. Tab reaches the row once; arrows move inside of it. */
export function MarkdownToolbar({
  area,
  controls,
  placeholders,
}: {
  area: RefObject<HTMLTextAreaElement | null>;
  /** The id of the field. */
  controls: string;
  placeholders?: Placeholders | undefined;
}) {
  const t = useWords('parts');
  const row = useRef<HTMLDivElement>(null);
  const [here, setHere] = useState(0);
  const edit = (make: (at: ReturnType<typeof selectedIn>) => Edit) => {
    if (area.current !== null) applyEdit(area.current, make(selectedIn(area.current)));
  };
  const move = (event: KeyboardEvent) => {
    const buttons = [...row.current!.querySelectorAll<HTMLElement>(BUTTONS)];
    const at = buttons.indexOf(event.target as HTMLElement);
    const last = buttons.length - 1;
    const next = { ArrowLeft: at === 0 ? last : at - 1, ArrowRight: at === last ? 0 : at + 1, Home: 0, End: last }[
      event.key
    ];
    if (at === -1 || next === undefined) return;
    event.preventDefault();
    setHere(next);
    buttons[next]!.focus();
  };
  return (
    <div
      className="markdown-tools"
      role="toolbar"
      aria-label={t('toolbar')}
      aria-controls={controls}
      ref={row}
      onKeyDown={move}
    >
      {TOOLS.map(([tool, ToolIcon, keys], i) => (
        <Button
          key={tool}
          kind="quiet"
          size="small"
          tabIndex={i === here ? 0 : -1}
          aria-label={t(`format.${tool}`)}
          title={
            keys === undefined ? t(`format.${tool}`) : `${t(`format.${tool}`)} (${keys.replace('Control', 'Ctrl')})`
          }
          aria-keyshortcuts={keys}
          onFocus={() => setHere(i)}
          onClick={() => edit((at) => editBy(tool, at))}
        >
          <ToolIcon />
        </Button>
      ))}
      {placeholders !== undefined && (
        <Popup
          name={t('format.insert')}
          button={{
            ...{ kind: 'quiet', size: 'small', tabIndex: here === TOOLS.length ? 0 : -1 },
            onFocus: () => setHere(TOOLS.length),
          }}
          label={
            <>
              <BracesIcon /> {t('format.insert')}
            </>
          }
        >
          {(close) => (
            <PlaceholderList
              {...placeholders}
              onChoose={(value) => {
                close();
                edit((at) => insertAt(at, value));
              }}
            />
          )}
        </Popup>
      )}
    </div>
  );
}

const PlaceholderList = ({ title, hint, items, onChoose }: Placeholders & { onChoose: (value: string) => void }) => (
  <div className="markdown-values">
    <strong className="small">{title}</strong>
    <ul>
      {items.map(({ value, label, action }) => (
        <li key={value}>
          <button type="button" className="menu-item" aria-label={action} onClick={() => onChoose(value)}>
            <span>{label}</span>
            <code data-hint="">{value}</code>
          </button>
        </li>
      ))}
    </ul>
    <p className="soft small">{hint}</p>
  </div>
);
