import type { Attendee } from '@turnout/client';
import { announce, CloseIcon, SearchIcon, Spinner, useLate, useWords } from '@turnout/ui';
import { type KeyboardEvent, type RefObject, useEffect } from 'react';
import { LIST_ID, optionId } from './found.tsx';
import type { FindResult } from './use-find.ts';

const MAX_LENGTH = 200;
const PAGE = 5;

/** The field that always has the focus. */
export function FindField({
  field,
  text,
  finds,
  found,
  chosen,
  onChange,
  onStep,
  onEnter,
  onEscape,
}: {
  field: RefObject<HTMLInputElement | null>;
  text: string;
  /** Without it, only codes are taken. */
  finds: boolean;
  found: FindResult;
  chosen: Attendee | undefined;
  onChange: (text: string) => void;
  onStep: (by: number) => void;
  onEnter: () => void;
  onEscape: () => void;
}) {
  const t = useWords('desk');
  const { rows, isCurrent, isAsking, hasMore } = found;
  useEffect(() => {
    if (!isCurrent) return;
    const count = rows.length;
    announce(count === 0 ? t('nobody') : hasMore ? t('foundMore', { count }) : t('found', { count }));
  }, [isCurrent, rows.length, hasMore, t]);
  const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const by = steps[event.key];
    if (by !== undefined) onStep(by);
    else if (event.key === 'Enter' && !event.repeat) onEnter();
    else if (event.key === 'Escape') onEscape();
    else return;
    event.preventDefault();
  };
  return (
    <div className="desk-field">
      <SearchIcon />
      <input
        ref={field}
        role="combobox"
        aria-label={t(finds ? 'find' : 'findCode')}
        aria-expanded={rows.length > 0}
        aria-controls={LIST_ID}
        aria-activedescendant={chosen && optionId(chosen.id)}
        aria-autocomplete="list"
        placeholder={t(finds ? 'find' : 'findCode')}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="go"
        maxLength={MAX_LENGTH}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={press}
      />
      {isAsking && finds && <FindSpinner key={text} />}
      {text !== '' && (
        <button
          type="button"
          className="desk-clear"
          aria-label={t('clear')}
          tabIndex={-1}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChange('')}
        >
          <CloseIcon />
        </button>
      )}
    </div>
  );
}

/** Most answers come faster than anybody wants to see something turn. */
function FindSpinner() {
  return useLate(250) ? <Spinner /> : null;
}
