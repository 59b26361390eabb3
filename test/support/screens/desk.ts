import type { Page } from 'playwright-core';
import { button, inDialog, press, refusal, type Screen, said } from './screen.ts';
import type { ScreensWorld } from './world.ts';

/** The desk: nothing typed, people found, each thing that stands in somebody's way, the answers of the door, and the forms. */
export const deskScreens = ({ people }: ScreensWorld): Screen[] => {
  const desk = (name: string, search: string, more: Partial<Screen> = {}): Screen => ({
    ...{ name: `desk ${name}`, as: 'owner' },
    path: `${people.event}/check-in/desk?check_in_point=gate${search === '' ? '' : `&search=${search}`}`,
    ...more,
  });
  const found = (page: Page) => page.getByRole('option').first().waitFor();
  const answered = (page: Page) => page.locator('.desk-answer').waitFor();
  const key = (page: Page, name: string) => page.keyboard.press(name);
  const checkIn = async (page: Page) => {
    await found(page);
    await press(page, /^Check in/);
    await answered(page);
  };
  return [
    { name: 'desk without a point', as: 'owner', path: `${people.event}/check-in/desk` },
    { name: 'desk of an event without points', as: 'owner', path: `${people.empty}/check-in/desk` },
    desk('at first', ''),
    desk('settings', '', { act: (page) => press(page, /^Checking in at/) }),
    desk('long name', 'hohen', { act: found }),
    desk('somebody who has to pay', 'hopper', { act: (page) => said(page, /unpaid/) }),
    desk('somebody to approve', 'turing', { act: (page) => said(page, /needs approval/) }),
    desk('somebody who cancelled', 'dijkstra', { act: found }),
    desk('for a viewer', 'hohen', { as: 'viewer', act: found }),
    desk('nobody', 'qqqq', { act: (page) => said(page, /Nobody matches/) }),
    desk('not answered', 'hohen', {
      answers: { 'GET /attendees': refusal(503, 'unavailable') },
      act: (page) => page.getByRole('alert').waitFor(),
    }),
    desk('answer', 'hohen', { act: checkIn }),
    desk('override', 'hohen', {
      act: async (page) => {
        await checkIn(page);
        const override = button(page, 'Override');
        await ((await override.count()) > 0 ? override : button(page, 'Undo')).click();
        await inDialog(page).waitFor();
      },
    }),
    desk('unknown code', '', {
      act: async (page) => {
        await page.keyboard.type('0'.repeat(28));
        await key(page, 'Enter');
        await answered(page);
      },
    }),
    desk('refused by the server', 'hohen', {
      answers: { 'POST /scan': refusal(409, 'invalid_state') },
      act: async (page) => {
        await found(page);
        await press(page, /^Check in/);
        await page.getByRole('alert').waitFor();
      },
    }),
    desk('from the scanner', '', {
      path: `${people.event}/check-in/desk?check_in_point=gate&add=true&from=scanner`,
      act: async (page) => {
        await press(page, /^Discard/);
        await said(page, 'Back to scanning');
      },
    }),
    desk('fix', 'hohen', {
      act: async (page) => {
        await found(page);
        await key(page, 'F2');
        await page.getByLabel('Last name', { exact: true }).waitFor();
      },
    }),
    desk('walk-in', '', {
      act: async (page) => {
        await key(page, 'F4');
        await page.getByLabel('Type', { exact: true }).selectOption('paying');
        await press(page, 'Register and check in');
        await said(page, 'Fill this in.');
      },
    }),
  ];
};
