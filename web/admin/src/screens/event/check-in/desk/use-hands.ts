import { type TellUnsaved, Unsaved } from '@turnout/ui';
import { type RefObject, useCallback, useContext, useLayoutEffect, useMemo, useRef } from 'react';

const TYPED_INTO = 'input, textarea, select, [contenteditable], [role=menu]';
const IN_THE_WAY = 'dialog[open], [role=menu], .popup-panel';

/**
 * The keys of the desk, wherever the focus is. A letter goes into the field; Enter, Escape and the arrows do too if nothing else has
 * the focus. While a dialog or menu is open, all keys are its own.
 */
export function useHands(
  field: RefObject<HTMLInputElement | null>,
  { isForm, keys }: { isForm: boolean; keys: Readonly<Record<string, (() => void) | undefined>> },
): void {
  const latest = useRef({ isForm, keys });
  latest.current = { isForm, keys };
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { isForm, keys } = latest.current;
      if (event.defaultPrevented || event.isComposing || document.querySelector(IN_THE_WAY) !== null) return;
      const isPrint = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'p';
      const act = keys[isPrint ? 'F3' : event.key];
      if (act !== undefined && (isPrint || !(event.ctrlKey || event.metaKey || event.altKey))) {
        event.preventDefault();
        act();
      } else if (!isForm && isMeantForField(event, field.current)) field.current?.focus();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [field]);
}

function isMeantForField(event: KeyboardEvent, field: HTMLInputElement | null): boolean {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || target === field) return false;
  if (target instanceof Element && target.closest(TYPED_INTO) !== null) return false;
  if (key.length === 1) return key !== ' ';
  return key === 'Backspace' && target === document.body;
}

/** On a screen that is touched, taking the focus would open the keyboard over half of it. */
const isTouched = () => window.matchMedia('(pointer: coarse)').matches;

/** Gives the focus back to the field, after whatever was done is drawn. */
export function useFocusField(field: RefObject<HTMLInputElement | null>): () => void {
  return useCallback(() => {
    if (isTouched()) return;
    requestAnimationFrame(() => {
      if (document.querySelector('dialog[open]') === null) field.current?.focus();
    });
  }, [field]);
}

/** Whether a form at the desk holds something that is not saved. The frame is told too, because it asks before the screen is left. */
export function useUnsavedHere() {
  const outer = useContext(Unsaved);
  const changed = useRef(new Set<string>());
  const tell = useMemo(
    (): TellUnsaved => (form, is, saving) => {
      if (is) changed.current.add(form);
      else changed.current.delete(form);
      outer?.(form, is, saving);
    },
    [outer],
  );
  return { tell, isChanged: useCallback(() => changed.current.size > 0, []) };
}
