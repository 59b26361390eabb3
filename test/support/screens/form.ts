import type { Page } from 'playwright-core';
import { inDialog, press, refusal, type Screen, said } from './screen.ts';
import type { ScreensWorld } from './world.ts';

/** The form of an event: thirty days or none, types with long names and high prices, forty questions; each with its editor open. */
export const formScreens = ({ people, fair }: ScreensWorld): Screen[] => {
  const on =
    (path: string) =>
    (name: string, more: Partial<Screen> = {}) =>
      ({ name: `form: ${name}`, as: 'owner', path: `${fair.event}${path}`, ...more }) satisfies Screen;
  const empty = (name: string, path: string): Screen => ({
    ...{ name: `form: ${name}`, as: 'owner', path: `${people.empty}${path}` },
  });
  const [days, types, questions] = [on('/tickets/days'), on('/tickets'), on('/page/questions')];
  const [products, limits] = [on('/tickets/products'), on('/tickets/limits')];
  const open = (page: Page, name: string | RegExp) =>
    page.locator('.form-edit').getByRole('button', { name }).first().click();
  return [
    days('days'),
    days('add days', {
      act: async (page) => {
        await press(page, 'Add days');
        await page.getByLabel('To', { exact: true }).fill('2100-02-28');
        await page.getByLabel('Name', { exact: true }).fill('Fair');
      },
    }),
    days('a day with a fault', {
      act: async (page) => {
        await open(page, /^Rindfleisch/);
        await page.getByLabel('Places').fill('many');
        await press(page, 'Save');
        await said(page, 'Enter a whole number such as 250.');
      },
    }),
    days('a day is locked', {
      act: async (page) => {
        await open(page, 'Today');
        await press(page, 'Lock');
        await inDialog(page).waitFor();
      },
    }),
    empty('no days', '/tickets/days'),
    empty('no types', '/tickets'),
    empty('no questions', '/page/questions'),
    types('types'),
    types('a type', { act: (page) => open(page, /^Rindfleisch/) }),
    types('a type with prices that change', {
      act: async (page) => {
        await open(page, 'Adult');
        const form = page.locator('.form-edit form');
        await form.locator('details.fold > summary').first().click();
        await form.getByRole('button', { name: 'Add price' }).click();
        await form.getByRole('button', { name: 'Add price' }).click();
        await form.getByLabel('Name', { exact: true }).nth(1).fill('Rindfleischetikettierungsüberwachungspreis');
        await form.getByLabel('Price', { exact: true }).nth(1).fill('12500');
      },
    }),
    types('a type in use', {
      act: async (page) => {
        await open(page, 'Adult');
        await press(page, 'Delete');
        await said(page, 'You can’t delete it while it’s in use');
      },
    }),
    types('a new type refused', {
      answers: { 'POST /attendee-types': refusal(503, 'unavailable') },
      act: async (page) => {
        await press(page, 'Add type');
        await page.getByLabel('Name', { exact: true }).fill('Gast');
        await press(page, 'Add type');
        await page.getByRole('alert').waitFor();
      },
    }),
    empty('no products', '/tickets/products'),
    empty('the first product', '/tickets/products?product=-'),
    products('products'),
    products('a product', { act: (page) => open(page, /T-Shirt$/) }),
    products('a product with a fault', {
      act: async (page) => {
        await open(page, 'Bread workshop');
        await page.getByLabel('Name', { exact: true }).fill('');
        await page.getByLabel('Available', { exact: true }).first().fill('many');
        await press(page, 'Save');
        await said(page, 'Fill this in.');
      },
    }),
    products('a product in use', {
      act: async (page) => {
        await open(page, 'Bread workshop');
        await press(page, 'Delete');
        await said(page, 'You can’t delete it while it’s in use');
      },
    }),
    products('a new product refused', {
      answers: { 'POST /products': refusal(503, 'unavailable') },
      act: async (page) => {
        await press(page, 'Add product');
        await page.getByLabel('Name', { exact: true }).fill('Stadtführung');
        await press(page, 'Add option');
        await press(page, 'Add product');
        await page.getByRole('alert').waitFor();
      },
    }),
    empty('no limits', '/tickets/limits'),
    limits('limits'),
    limits('a limit', { act: (page) => open(page, /^Plätze/) }),
    limits('a limit that counts nothing', {
      act: async (page) => {
        await press(page, 'Add shared limit');
        await page.getByLabel('Name', { exact: true }).fill('Seats');
        await page.getByLabel('At most', { exact: true }).fill('12');
        await press(page, 'Add shared limit');
        await said(page, 'Choose at least one thing to count.');
      },
    }),
    { name: 'form: products for a viewer', as: 'viewer', path: `${fair.event}/tickets/products` },
    questions('questions'),
    questions('a question with options', { act: (page) => open(page, 'What do you eat?') }),
    { name: 'form: questions for a viewer', as: 'viewer', path: `${fair.event}/page/questions` },
  ];
};
