import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from './icons.tsx';
import { home, testing } from './session.ts';
import { t } from './words.ts';

/** Says on every screen that nothing counts. The striped frame around it is drawn by css/test.css. */
export const TestBand = () => (testing.value ? <p class="test-band">{t('testBand')}</p> : null);

interface Props {
  readonly title: string;
  /** Null: there is nothing to go back to. */
  readonly back?: (() => void) | null;
  readonly children: ComponentChildren;
  /** At the bottom of the screen, where a thumb reaches them. */
  readonly actions?: ComponentChildren;
}

/** A screen without the camera: a heading, what it is about, and what can be done at the bottom. */
export function Page({ title, back = home, children, actions }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  // A screen reader says which screen this is. A field of the screen that took the focus keeps it.
  useEffect(() => {
    if (document.activeElement === null || document.activeElement === document.body) heading.current?.focus();
  }, []);
  useLayoutEffect(() => {
    if (back === null) return;
    const onEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && document.querySelector('dialog[open]') === null) back();
    };
    addEventListener('keydown', onEscape);
    return () => removeEventListener('keydown', onEscape);
  }, [back]);
  return (
    <div class="page">
      <header class="page-head">
        <TestBand />
        {back !== null && (
          <button type="button" class="plain square" aria-label={t('back')} onClick={back}>
            <Icon name="back" />
          </button>
        )}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
      </header>
      <main class="page-body">{children}</main>
      {actions !== undefined && actions !== false && <footer class="page-actions">{actions}</footer>}
    </div>
  );
}
