import { Button, ChevronIcon, CloseIcon, type Option, SearchIcon, useWords } from '@turnout/ui';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Popup } from './popup.tsx';
import { listOf, type UsedFilters, useFilters } from './use-filters.ts';
import './filters.css';

export interface Choice {
  /** The name of the filter in the address. */
  name: string;
  label: string;
  options: readonly Option[];
  /** Several may be chosen; they stand in the address with commas between them. */
  multiple?: boolean;
}

interface FiltersProps {
  /** The field to type into: its name in the address (`search`), and what it finds. */
  search?: { name?: string; label: string; placeholder?: string; autoFocus?: boolean };
  choices?: readonly Choice[];
  /** Other filters in the address that “clear all” takes out too. */
  others?: readonly string[];
  /** What stands at the end, such as dates or a button. */
  children?: ReactNode;
}

/** The bar above a table: a field to search by, menus to choose from, and what was chosen, each to be taken away again. */
export function Filters({ search, choices = [], others = [], children }: FiltersProps) {
  const t = useWords('parts');
  const used = useFilters();
  const name = search?.name ?? 'search';
  const chosen = choices.flatMap((choice) =>
    valuesOf(choice, used).map((value) => ({ choice, value, label: labelOf(choice, value) })),
  );
  const names = [...choices.map((choice) => choice.name), ...others];
  // Not for what is typed, which the field itself can clear: the table must not move down under the pointer.
  const isFiltered = names.some((one) => used.values[one] !== undefined);
  const clear = () => used.set(Object.fromEntries([...names, name].map((one) => [one, undefined])));
  return (
    <search className="filter-bar" aria-label={t('filters')}>
      <div className="filter-line">
        {search !== undefined && <Search key={name} {...search} name={name} used={used} />}
        {choices.map((choice) => (
          <ChoiceMenu key={choice.name} choice={choice} used={used} />
        ))}
        {children}
      </div>
      {isFiltered && (
        <div className="filter-line">
          {chosen.map(({ choice, value, label }) => (
            <Chip
              key={`${choice.name} ${value}`}
              label={`${choice.label}: ${label}`}
              onRemove={() =>
                used.set({
                  [choice.name]: valuesOf(choice, used)
                    .filter((one) => one !== value)
                    .join(','),
                })
              }
            />
          ))}
          <Button kind="link" onClick={clear}>
            {t('clearFilters')}
          </Button>
        </div>
      )}
    </search>
  );
}

const valuesOf = (choice: Choice, { values }: UsedFilters): string[] => {
  const value = values[choice.name];
  if (value === undefined) return [];
  return choice.multiple ? listOf(value) : [value];
};
const labelOf = (choice: Choice, value: string): string =>
  choice.options.find((option) => option.value === value)?.label ?? value;

/** Something chosen that can be taken away again. */
export function Chip({ label, onRemove }: { label: string; onRemove: () => void }) {
  const t = useWords('parts');
  return (
    <button type="button" className="chip" onClick={onRemove} aria-label={t('removeFilter', { filter: label })}>
      <span className="clip">{label}</span>
      <CloseIcon />
    </button>
  );
}

const PAUSE_MS = 60;

/**
 * What is typed goes into the address: the first letter at once, and those that follow it quickly after a short pause. The field keeps
 * what is typed meanwhile; when the address changes by itself (back, “clear all”), the field follows.
 */
function Search({
  name,
  label,
  placeholder,
  autoFocus,
  used: { values, set },
}: {
  name: string;
  label: string;
  placeholder?: string;
  autoFocus?: boolean;
  used: UsedFilters;
}) {
  const t = useWords('parts');
  const id = useId();
  const address = values[name] ?? '';
  const [text, setText] = useState(address);
  const sent = useRef(address);
  const sentAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (address === sent.current) return;
    sent.current = address;
    setText(address);
  }, [address]);
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === sent.current) return;
    const send = () => {
      sent.current = wanted;
      sentAt.current = performance.now();
      set({ [name]: wanted }, { quietly: true });
    };
    const timer = setTimeout(send, performance.now() - sentAt.current < PAUSE_MS ? PAUSE_MS : 0);
    return () => clearTimeout(timer);
  }, [text, name, set]);
  return (
    <div className="filter-search">
      <label className="hidden" htmlFor={id}>
        {label}
      </label>
      <SearchIcon />
      <input
        id={id}
        className="input"
        type="search"
        autoComplete="off"
        spellCheck={false}
        // biome-ignore lint/a11y/noAutofocus: only where searching is what the screen is for
        autoFocus={autoFocus}
        placeholder={placeholder ?? label}
        value={text}
        maxLength={200}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && setText('')}
      />
      {text !== '' && (
        <Button kind="quiet" size="small" aria-label={t('clearSearch')} onClick={() => setText('')}>
          <CloseIcon />
        </Button>
      )}
    </div>
  );
}

const LONG = 8;

function ChoiceMenu({ choice, used }: { choice: Choice; used: UsedFilters }) {
  const t = useWords('parts');
  const id = useId();
  const [find, setFind] = useState('');
  const chosen = valuesOf(choice, used);
  const wanted = find.toLocaleLowerCase();
  const options = choice.options.filter((option) => option.label.toLocaleLowerCase().includes(wanted));
  const choose = (value: string, on: boolean) => {
    if (!choice.multiple) return used.set({ [choice.name]: value });
    used.set({ [choice.name]: (on ? [...chosen, value] : chosen.filter((one) => one !== value)).join(',') });
  };
  if (choice.options.length === 0) return null;
  return (
    <Popup
      name={choice.label}
      button={{ size: 'small' }}
      label={
        <>
          {choice.label}
          {chosen.length > 0 && <span className="filter-count">{chosen.length}</span>}
          <ChevronIcon />
        </>
      }
    >
      {(close) => (
        <div className="filter-options">
          {choice.options.length > LONG && (
            <input
              className="input"
              type="search"
              aria-label={t('findOption', { of: choice.label })}
              placeholder={t('findOption', { of: choice.label })}
              value={find}
              onChange={(event) => setFind(event.target.value)}
            />
          )}
          {options.map((option) => (
            <div className="check" key={option.value}>
              <input
                type={choice.multiple ? 'checkbox' : 'radio'}
                id={`${id}-${option.value}`}
                name={id}
                checked={chosen.includes(option.value)}
                onChange={(event) => choose(option.value, event.target.checked)}
                // Arrows go from option to option and must not close it; a click has chosen, and so has Enter.
                onClick={(event) => !choice.multiple && event.detail > 0 && close()}
                onKeyDown={(event) => event.key === 'Enter' && close()}
              />
              <label htmlFor={`${id}-${option.value}`}>{option.label}</label>
            </div>
          ))}
          {chosen.length > 0 && !choice.multiple && (
            <Button
              kind="link"
              onClick={() => {
                used.set({ [choice.name]: undefined });
                close();
              }}
            >
              {t('noFilter')}
            </Button>
          )}
        </div>
      )}
    </Popup>
  );
}
