import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PATIENCE_MS, unsavedForms } from './unsaved.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Whether leaving has gone on after so many milliseconds. */
async function goesOn(settled: Promise<unknown>, after = 0): Promise<boolean> {
  let on = false;
  void settled.then(() => {
    on = true;
  });
  await vi.advanceTimersByTimeAsync(after);
  return on;
}

describe('leaving a page', () => {
  test('goes on at once if no form is being saved, changed or not', async () => {
    const forms = unsavedForms();
    expect([await goesOn(forms.settled()), forms.isUnsaved()]).toEqual([true, false]);
    forms.tell('a', true);
    expect([await goesOn(forms.settled()), forms.isUnsaved()]).toEqual([true, true]);
  });

  test('waits for the answer to a form that is being saved', async () => {
    const forms = unsavedForms();
    forms.tell('a', true, true);
    const leaving = forms.settled();
    expect(await goesOn(leaving, PATIENCE_MS - 1)).toBe(false);
    forms.tell('a', false);
    expect([await goesOn(leaving), forms.isUnsaved()]).toEqual([true, false]);
  });

  test('waits for all of them, and asks about the one that could not be saved', async () => {
    const forms = unsavedForms();
    forms.tell('a', true, true);
    forms.tell('b', true, true);
    const leaving = forms.settled();
    forms.tell('a', true);
    expect(await goesOn(leaving)).toBe(false);
    forms.tell('b', false);
    expect([await goesOn(leaving), forms.isUnsaved()]).toEqual([true, true]);
  });

  test('does not wait forever for an answer that never comes', async () => {
    const forms = unsavedForms();
    forms.tell('a', true, true);
    const leaving = forms.settled();
    expect(await goesOn(leaving, PATIENCE_MS)).toBe(true);
    expect(forms.isUnsaved()).toBe(true);
  });
});
