import { announce, closeDialog, SearchIcon, useWords } from '@turnout/ui';
import { type KeyboardEvent, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { Item } from './item.ts';
import { useItems } from './items.ts';
import { groupByKind, matching } from './match.ts';
import './palette.css';

const MAX_ITEMS = 30;
const MAX_LENGTH = 100;
/** Before anything is typed, only what can be done and where one can go. */
const FIRST = ['action', 'screen'];

/** Finds screens, actions, events, people, members, keys and endpoints. It answers while one types. */
export default function Palette({ early, onClose }: { early: RefObject<string>; onClose: () => void }) {
  const t = useWords('palette');
  const id = useId();
  const [typed, setTyped] = useState('');
  useLayoutEffect(() => {
    setTyped(early.current.slice(0, MAX_LENGTH));
    early.current = '';
  }, [early]);
  const [chosenId, setChosenId] = useState<string | null>(null);
  const { items, asking } = useItems(typed);
  const found = groupByKind(
    matching(typed.trim() === '' ? items.filter(({ kind }) => FIRST.includes(kind)) : items, typed, MAX_ITEMS),
  );
  // What comes later must not change what is chosen.
  const at = Math.max(
    0,
    found.findIndex(({ id }) => id === chosenId),
  );
  const chosen = found[at];
  const dialog = useModal();
  useEffect(() => {
    if (typed.trim() !== '' && !asking)
      announce(found.length === 0 ? t('nothing', { text: typed }) : t('found', { count: found.length }));
  }, [typed, found.length, asking, t]);

  const open = (item: Item) => {
    onClose();
    item.go();
  };
  const press = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && found.length > 0) {
      event.preventDefault();
      setChosenId(found[(at + step + found.length) % found.length]!.id);
    } else if (event.key === 'Enter' && chosen !== undefined && !event.nativeEvent.isComposing) {
      event.preventDefault();
      open(chosen);
    }
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same as a click beside it
    <dialog
      ref={dialog}
      className="dialog palette"
      aria-label={t('title')}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      <div className="palette-field">
        <SearchIcon />
        <input
          role="combobox"
          aria-label={t('title')}
          aria-expanded={found.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={chosen && `${id}-${chosen.id}`}
          aria-autocomplete="list"
          aria-describedby={`${id}-help`}
          placeholder={t('placeholder')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={MAX_LENGTH}
          autoFocus
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setChosenId(null);
          }}
          onKeyDown={press}
        />
      </div>
      <Results id={id} found={found} chosen={chosen} onOpen={open} />
      {found.length === 0 && (
        <p className="palette-none soft">{asking ? t('searching') : t('nothing', { text: typed })}</p>
      )}
      <p className="palette-help soft small" id={`${id}-help`}>
        {t('help')}
      </p>
    </dialog>
  );
}

function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  // It is closed before it is removed; otherwise the focus would not go back.
  useLayoutEffect(() => {
    const element = dialog.current!;
    if (!element.open) element.showModal();
    return () => closeDialog(element);
  }, []);
  return dialog;
}

function Results({
  id,
  found,
  chosen,
  onOpen,
}: {
  id: string;
  found: readonly Item[];
  chosen: Item | undefined;
  onOpen: (item: Item) => void;
}) {
  const t = useWords('palette');
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another one is chosen
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen?.id]);
  const kinds = [...new Set(found.map(({ kind }) => kind))];
  return (
    <div className="palette-list" role="listbox" id={`${id}-list`} aria-label={t('results')} ref={list} tabIndex={-1}>
      {kinds.map((kind) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot stand in a listbox
        <div key={kind} role="group" aria-labelledby={`${id}-${kind}`}>
          <div className="menu-head" id={`${id}-${kind}`} role="presentation">
            {t(`kind.${kind}`)}
          </div>
          {found
            .filter((one) => one.kind === kind)
            .map((one) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are pressed in the field, which keeps the focus
              <div
                key={one.id}
                id={`${id}-${one.id}`}
                role="option"
                tabIndex={-1}
                aria-selected={one === chosen}
                className="menu-item"
                data-focused={one === chosen || undefined}
                onClick={() => onOpen(one)}
              >
                <span className="clip">{one.text}</span>
                {one.hint !== undefined && (
                  <span className="clip" data-hint="">
                    {one.hint}
                  </span>
                )}
              </div>
            ))}
        </div>
      ))}
    </div>
  );
}
