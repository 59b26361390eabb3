import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { openSession } from '../../server/src/areas/accounts/index.ts';
import { sql } from '../../server/src/store/sql.ts';
import type { AppWorld } from './app-world.ts';

const cookieOf = async (page: Page) => (await page.context().cookies()).find((one) => one.name === 'turnout_session')!;

/** Ends the session of a page, as signing out in another tab does. */
export async function endSessionOf(world: AppWorld, page: Page): Promise<void> {
  const headers = { cookie: `turnout_session=${(await cookieOf(page)).value}` };
  expect((await world.t.call('POST', '/app/api/-/sign-out', { headers })).status).toBe(204);
}

/** The same person signs in again, as in another tab of the same browser. */
export async function signInAgainAs(world: AppWorld, page: Page, email: string): Promise<void> {
  const token = await world.t.system(async (tx) => {
    const { id } = await tx.one<{ id: string }>(sql`select id from accounts where email = ${email}`);
    return openSession(tx, { account: id, method: 'password', secondFactor: false });
  });
  await page.context().addCookies([{ ...(await cookieOf(page)), value: token }]);
}

export const emailOf = async (page: Page): Promise<string> =>
  page.evaluate(async () => (await (await fetch('/app/api/-/account')).json()).email);
