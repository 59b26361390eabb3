import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { settled } from './support/app-world.ts';
import {
  type Body,
  button,
  type Door,
  type Made,
  openDoor,
  poll,
  queue,
  ready,
  result,
  type,
} from './support/scanner/door.ts';
import { hasTool } from './support/tools.ts';

/** What people have booked is given to them at the gate, with a network and without, and at the desk. */
describe.skipIf(!hasTool('chromium'))('handing out', { timeout: 240_000 }, () => {
  let door: Door;
  let at: string;
  let first: Page;
  let second: Page;
  const made: Record<string, Made & { attendee: string }> = {};
  beforeAll(async () => {
    door = await openDoor();
    at = await door.event('shirts', { door: { name_search: true, kiosk: false, questions: [] } });
    await door.post(`${at}/products`, {
      code: 'shirt',
      name: 'T-shirt',
      options: [{ code: 'm', name: 'Medium' }],
      max: 3,
    });
    await door.post(`${at}/products`, { code: 'table', name: 'Table', per: 'registration' });
    for (const name of ['online', 'offline', 'twice', 'found', 'desk']) {
      const { attendees, code, id } = await door.post(`${at}/registrations`, {
        attendees: [
          {
            ...{ attendee_type: 'adult', first_name: name[0]!.toUpperCase() + name.slice(1), last_name: 'Lovelace' },
            ...{ days: ['today'], products: [{ product: 'shirt', option: 'm', quantity: name === 'online' ? 2 : 1 }] },
          },
        ],
        ...(name === 'desk' && { products: [{ product: 'table' }] }),
        send_emails: false,
      });
      made[name] = { ...attendees[0].tickets[0], registration: code, attendee: attendees[0].id, id };
    }
    first = await door.device(at, 'Gate 1');
    second = await door.device(at, 'Gate 2');
  }, 300_000);
  afterEach(async () => {
    for (const page of [first, second]) {
      await page.context().setOffline(false);
      await page.reload();
      await ready(page);
    }
    expect(door.complaints()).toEqual([]);
  });
  afterAll(async () => {
    await door?.world.stop();
  });

  const handOuts = async (name: string): Promise<Body[]> =>
    (await door.send('GET', `${at}/hand-outs?attendee=${made[name]!.attendee}`)).data;
  const scanned = async (page: Page, name: string) => {
    await type(page, made[name]!.code);
    await poll(() => result(page)).toBe('accepted');
    const list = page.getByRole('region', { name: 'To hand out' });
    await list.waitFor();
    return list;
  };
  const HAND_OUT = 'Hand out T-shirt, Medium';

  test('with a network: two taps are two units, and the second is taken back on the spot', async () => {
    const list = await scanned(first, 'online');
    expect(await list.getByText('2 × T-shirt, Medium').count()).toBe(1);
    await button(list, HAND_OUT).click();
    await list.getByText('Handed out').waitFor();
    await button(list, HAND_OUT).click();
    await list.getByText('2 handed out').waitFor();
    expect(await button(list, HAND_OUT).count()).toBe(0);
    expect(await handOuts('online')).toHaveLength(2);
    await button(list, 'Undo the hand-out of T-shirt, Medium').click();
    await button(list, HAND_OUT).waitFor();
    const rows = await handOuts('online');
    expect(rows.map(({ undone_at }) => undone_at !== null).sort()).toEqual([false, true]);
    // It stays until somebody goes on, and nobody was counted twice.
    await button(first, 'Next').click();
    await first.locator('.answer.line').waitFor();
    const theirs = (await door.checkIns(at)).filter((one) => one.attendee_id === made.online!.attendee);
    expect(theirs).toHaveLength(1);
  });

  test('without a network: it waits on the device, goes up later, and the desk sees it as handed out', async () => {
    await first.context().setOffline(true);
    const list = await scanned(first, 'offline');
    await button(list, HAND_OUT).click();
    await list.getByText('Handed out').waitFor();
    expect(Number(await queue(first))).toBe(2);
    expect(await handOuts('offline')).toEqual([]);
    await first.context().setOffline(false);
    await poll(async () => (await handOuts('offline')).map(({ surplus, actor }) => [surplus, actor.name])).toEqual([
      [false, 'Gate 1'],
    ]);
    await poll(() => queue(first)).toBe('0');
    const desk = await door.world.open(`/app/acme/events/shirts/people/${made.offline!.attendee}`);
    await desk.getByRole('heading', { name: 'Handing out' }).waitFor();
    await desk.locator('.handing-out').getByText('Handed out', { exact: true }).waitFor();
    expect(await desk.getByRole('button', { name: HAND_OUT }).count()).toBe(0);
    await desk.close();
  });

  test('two devices without a network give the same unit away: the second is kept as surplus', async () => {
    for (const page of [first, second]) {
      await page.context().setOffline(true);
      const list = await scanned(page, 'twice');
      await button(list, HAND_OUT).click();
      await list.getByText('Handed out').waitFor();
    }
    for (const page of [first, second]) {
      await page.context().setOffline(false);
      await poll(() => queue(page)).toBe('0');
    }
    const rows = await handOuts('twice');
    expect(rows.map(({ surplus, actor }) => [surplus, actor.name])).toEqual([
      [false, 'Gate 1'],
      [true, 'Gate 2'],
    ]);
    const { products } = await door.send('GET', `${at}/attendees/${made.twice!.attendee}`);
    expect(products).toMatchObject([{ quantity: 1, handed_out: 1 }]);
  });

  test('somebody found by name gets it without being scanned', async () => {
    const before = (await door.checkIns(at)).length;
    await button(first, 'Search').click();
    const sheet = first.getByRole('dialog');
    await sheet.getByLabel('Name').fill('Found');
    await sheet.getByLabel(/^Found Lovelace/).check();
    await button(sheet, HAND_OUT).click();
    await sheet.getByText('Handed out').waitFor();
    expect(await handOuts('found')).toHaveLength(1);
    expect(await door.checkIns(at)).toHaveLength(before);
  });

  test('at the desk: one tap each, for the person and for the whole registration, and undo with a reason', async () => {
    const desk = await door.world.open(`/app/acme/events/shirts/check-in/desk?check_in_point=gate&search=Desk`);
    await desk.getByRole('heading', { name: 'Desk Lovelace' }).waitFor();
    await desk.getByRole('button', { name: 'Hand out Table' }).click();
    await desk.getByRole('button', { name: HAND_OUT }).click();
    await poll(() => desk.locator('.handing-out').getByText('Handed out', { exact: true }).count()).toBe(2);
    await desk.getByRole('button', { name: 'Undo the hand-out of T-shirt, Medium' }).click();
    await desk.getByRole('dialog').getByLabel('Reason').fill('Wrong size');
    await desk.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
    await desk.getByRole('button', { name: HAND_OUT }).waitFor();
    await settled(desk);
    expect(await handOuts('desk')).toMatchObject([{ undo_reason: 'Wrong size', check_in_point: 'gate' }]);
    await desk.close();
  });
});
