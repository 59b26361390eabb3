import type { Locator, Page } from 'playwright-core';

/** How a person works with a page: with a mouse, or by keyboard alone. Both wait until what they want is there. */
export interface Hands {
  name: string;
  /** Presses a button, a link or an entry of a menu. */
  press(target: Locator): Promise<void>;
  /** Empties a field and types into it. */
  fill(target: Locator, text: string): Promise<void>;
  /** Chooses a radio button or ticks a checkbox. */
  choose(target: Locator): Promise<void>;
}

export const mouse = (_page: Page): Hands => ({
  name: 'mouse',
  press: (target) => target.click(),
  fill: (target, text) => target.fill(text),
  choose: (target) => target.check(),
});

/** The most steps of the Tab key that a screen may need. More means that the target cannot be reached. */
const MAX_TABS = 120;

/** Never clicks and never sets a focus: it goes by Tab, arrows, Enter and Space, as somebody without a mouse does. */
export function keyboard(page: Page): Hands {
  const isFocused = (target: Locator) => target.evaluate((element) => element === document.activeElement);
  const walk = async (target: Locator, key: string, most: number) => {
    for (let step = 0; step < most; step += 1) {
      if (await isFocused(target)) return true;
      await page.keyboard.press(key);
    }
    return isFocused(target);
  };
  const reach = async (target: Locator, key = 'Tab') => {
    await target.waitFor();
    if (!(await walk(target, key, MAX_TABS))) throw new Error(`The keyboard does not reach ${target}`);
  };
  return {
    name: 'keyboard',
    press: async (target) => {
      await target.waitFor();
      const role = await target.evaluate((element) => element.getAttribute('role'));
      await reach(target, role?.startsWith('menuitem') ? 'ArrowDown' : 'Tab');
      await page.keyboard.press('Enter');
    },
    fill: async (target, text) => {
      await reach(target);
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.press('Delete');
      await page.keyboard.type(text);
    },
    choose: async (target) => {
      await target.waitFor();
      if (await target.isChecked()) return;
      const isRadio = (await target.getAttribute('type')) === 'radio';
      if (!isRadio) {
        await reach(target);
        await page.keyboard.press('Space');
        return;
      }
      // Tab goes to the one of the group that is chosen; arrows go from there and choose.
      const name = await target.getAttribute('name');
      await reach(page.locator(`input[type="radio"][name="${name}"]:checked`));
      await reach(target, 'ArrowDown');
    },
  };
}
