import { Badge, ChevronIcon, useWords } from '@turnout/ui';
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react';
import './form.css';

/** Days, types or questions below each other; each opens in place. */
export const PartList = ({ label, children }: { label: string; children: ReactNode }) => (
  <ul className="parts" aria-label={label}>
    {children}
  </ul>
);

/** One of them: its name, what is to be known at a glance, and below it the editor while it is open. */
export function PartItem({
  name,
  before,
  meta,
  end,
  open,
  unsaved,
  onToggle,
  children,
}: {
  name: string;
  /** What stands before the name, such as a number or a date. */
  before?: ReactNode;
  meta?: ReactNode;
  end?: ReactNode;
  open: boolean;
  unsaved: boolean;
  /** Without it, it cannot be opened: whoever looks may not change it. */
  onToggle?: (() => void) | undefined;
  children: ReactNode;
}) {
  const t = useWords('form');
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const item = useRef<HTMLLIElement>(null);
  useFocusBack(open, () => button.current);
  // An address may name one far below.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only for the one that is open when the screen opens
  useEffect(() => {
    if (open) item.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <li className="part" data-open={open || undefined} ref={item}>
      <div className="part-head">
        {before !== undefined && <div className="part-before soft number">{before}</div>}
        <div className="part-name">
          <h2>
            {onToggle === undefined ? (
              <bdi>{name}</bdi>
            ) : (
              <button
                type="button"
                className="part-toggle"
                ref={button}
                aria-expanded={open}
                aria-controls={open ? id : undefined}
                onClick={onToggle}
              >
                <bdi>{name}</bdi>
              </button>
            )}
          </h2>
          <div className="part-meta soft small">
            {meta}
            {(unsaved || open) && (
              <span className="part-unsaved" data-shown={unsaved || undefined}>
                <Badge tone="warn">{t('unsaved')}</Badge>
              </span>
            )}
          </div>
        </div>
        {end !== undefined && <div className="part-end">{end}</div>}
        {onToggle !== undefined && (
          <span className="part-sign" aria-hidden="true">
            <ChevronIcon />
          </span>
        )}
      </div>
      {open && (
        <div className="part-body" id={id}>
          {children}
        </div>
      )}
    </li>
  );
}

/** When an editor closes, the focus that was in it goes to where it came from. */
export function useFocusBack(open: boolean, target: () => HTMLElement | null): void {
  const was = useRef(open);
  useLayoutEffect(() => {
    const closed = was.current && !open;
    was.current = open;
    if (closed && (document.activeElement === null || document.activeElement === document.body)) target()?.focus();
  });
}
