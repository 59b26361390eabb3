import { inDialog, press, refusal, type Screen, said } from './screen.ts';
import type { ScreensWorld } from './world.ts';

/** Codes, and what people have booked: none, one, many, what is refused, and everything as long as it may be. */
export const sellingScreens = ({ people, fair }: ScreensWorld): Screen[] => {
  const on =
    (path: string) =>
    (name: string, more: Partial<Screen> = {}) =>
      ({ name: `selling: ${name}`, as: 'owner', path: `${fair.event}${path}`, ...more }) satisfies Screen;
  const codes = on('/tickets/codes');
  const code = on(`/tickets/codes/${fair.discount}`);
  const [add, many] = [on('/tickets/codes/new'), on('/tickets/codes/batch')];
  const person = on(`/people/${fair.bookedPerson}`);
  const registration = on(`/people/registrations/${fair.booked}`);
  return [
    codes('codes'),
    on('/tickets/codes?active=false&search=autumn')('codes filtered'),
    on('/tickets/codes?search=qqqq')('codes nothing matches'),
    { name: 'selling: no codes', as: 'owner', path: `${people.empty}/tickets/codes` },
    { name: 'selling: codes for a viewer', as: 'viewer', path: `${fair.event}/tickets/codes` },
    { name: 'selling: a code for a viewer', as: 'viewer', path: `${fair.event}/tickets/codes/${fair.discount}` },
    codes('codes not loaded', { answers: { 'GET /discounts': refusal(500, 'internal_error') } }),
    code('a code'),
    code('a code in use', {
      act: async (page) => {
        await press(page, 'Delete');
        await said(page, 'You can’t delete it while it’s in use');
      },
    }),
    on('/tickets/codes/01980000-0000-7000-8000-000000000000')('a code not found'),
    add('a new code'),
    add('a new code refused', {
      answers: { 'POST /discounts': refusal(409, 'code_taken') },
      act: async (page) => {
        await page.getByLabel('Code', { exact: true }).fill('PRESS');
        await page.getByLabel('Name', { exact: true }).fill('Press');
        await page.getByLabel('Percent off', { exact: true }).fill('20');
        await page.getByText('Limits: how often and when').click();
        await page.getByText('More: hidden types').click();
        await press(page, 'Add code');
        await page.getByRole('alert').waitFor();
      },
    }),
    many('many codes'),
    person('what a person has booked'),
    person('what a person has booked is changed', {
      act: async (page) => {
        await press(page, 'Change products');
        await inDialog(page).waitFor();
      },
    }),
    registration('what a registration has booked'),
    registration('what is booked for all is changed', {
      act: async (page) => {
        await press(page, 'Change products');
        await inDialog(page).waitFor();
      },
    }),
    on('/people/registrations/new')('somebody new with products'),
  ];
};
