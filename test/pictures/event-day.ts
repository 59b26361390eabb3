import { randomUUID } from 'node:crypto';
import type { Camera } from './camera.ts';

const FAIR = '/events/lakeside-fair';
const MINUTE = 60_000;

interface Guest {
  id: string;
  first_name: string;
  last_name: string;
  tickets: { code: string }[];
}

/** Guide “The day of the event”, in the sandbox: its event begins today. */
export async function takeEventDay(camera: Camera, sandboxLink: string): Promise<void> {
  await camera.page.goto(sandboxLink);
  await camera.take('sandbox-enter', { height: 560 });
  await camera.press('Enter the sandbox');
  camera.org = 'sandbox';
  await camera.page.waitForURL('**/app/sandbox');
  const expected = await guests(camera, 'day1');
  await beforeTheDoorsOpen(camera, expected);
  const token = await pairDevices(camera);
  await scanInTheBrowser(camera, expected[0]!);
  await letPeopleIn(camera, token, expected.slice(1));
  await workAtTheDesk(camera);
  await watchAndOverride(camera);
  await afterTheLastPerson(camera);
}

async function guests(camera: Camera, day: string): Promise<Guest[]> {
  const { data } = await camera.call('GET', `${FAIR}/attendees?status=confirmed&day=${day}&limit=100`);
  return data;
}

async function beforeTheDoorsOpen(camera: Camera, expected: Guest[]): Promise<void> {
  const { page } = camera;
  await camera.open(FAIR);
  await camera.go('Check-in', 'Check-in points');
  await camera.take('door-points', { height: 800 });
  await camera.link('Jetty').click();
  await camera.settle();
  await camera.take('door-point', { height: 1000 });
  await camera.go('Check-in', 'Test mode');
  await camera.link('Scan in test mode').click();
  await camera.settle();
  await camera.press('Main gate');
  await page.getByLabel('Code').fill(expected[3]!.tickets[0]!.code);
  await page.keyboard.press('Enter');
  await page.locator('.door-answer[data-result="accepted"]').waitFor();
  await camera.take('door-test', { height: 760 });
}

/** Pairs one device by the dialog and another one by a call. Returns the token of the first. */
async function pairDevices(camera: Camera): Promise<string> {
  const pairWith = async (code: string, beat: object): Promise<string> => {
    const { token } = await callAsDevice(camera, 'POST', '/devices/pair', { code });
    await callAsDevice(camera, 'PUT', '/devices/self/heartbeat', beat, token);
    return token;
  };
  await camera.go('Check-in', 'Devices');
  await camera.press('Pair');
  const dialog = camera.dialog();
  await dialog.getByLabel('Name').fill('Phone at the gate');
  await camera.press('Pair', dialog);
  await dialog.getByRole('img', { name: 'QR code to pair a device' }).waitFor();
  await camera.take('door-pair', { of: dialog, height: 900 });
  const token = await pairWith((await dialog.locator('code').first().textContent())!, { queue_length: 0, battery: 86 });
  await dialog.waitFor({ state: 'detached' });
  const { code } = await camera.post(`${FAIR}/devices/pairing-codes`, { name: 'Tablet at the jetty' });
  await pairWith(code, { queue_length: 3, battery: 41 });
  await camera.open(`${FAIR}/check-in/devices`);
  await camera.take('door-devices', { height: 560 });
  return token;
}

async function scanInTheBrowser(camera: Camera, guest: Guest): Promise<void> {
  const { page } = camera;
  await camera.go('Check-in', 'Scan');
  await page.getByLabel('Check-in point').selectOption({ label: 'Main gate' });
  for (const result of ['accepted', 'duplicate']) {
    await page.getByLabel('Code').fill(guest.tickets[0]!.code);
    await page.keyboard.press('Enter');
    await page.locator(`.door-answer[data-result="${result}"]`).waitFor();
    await camera.take(`door-scan-${result}`, { height: 760 });
  }
}

/** What the phone at the gate has scanned in the last hour; for some minutes it had no network. */
async function letPeopleIn(camera: Camera, token: string, expected: Guest[]): Promise<void> {
  const tomorrow = (await guests(camera, 'day2')).filter(({ id }) => !expected.some((one) => one.id === id));
  const now = await camera.page.evaluate(() => Date.now());
  const scan = (code: string, minutesAgo: number, check_in_point = 'main-gate', offline_result?: string) => ({
    ...{ code, check_in_point, client_uuid: randomUUID() },
    ...{ scanned_at: new Date(now - minutesAgo * MINUTE).toISOString(), ...(offline_result && { offline_result }) },
  });
  const codes = expected.map(({ tickets }) => tickets[0]!.code);
  const came = codes.slice(0, 15);
  const scans = [
    ...came.map((code, i) => scan(code, 54 - Math.round(50 * Math.sqrt(i / came.length)))),
    scan(codes[2]!, 31),
    scan(codes[4]!, 12),
    scan(tomorrow[0]!.tickets[0]!.code, 22),
    scan(codes[1]!, 20, 'main-gate', 'accepted'),
    ...came.slice(0, 6).map((code, i) => scan(code, 18 - 2 * i, 'jetty')),
    scan(codes[5]!, 6, 'lounge'),
    scan(codes[0]!, 4, 'exit'),
    scan('LOST-TICKET', 3),
  ].sort((a, b) => a.scanned_at.localeCompare(b.scanned_at));
  await callAsDevice(camera, 'POST', `${FAIR}/scan/batch`, { scans }, token);
}

/** A call of a scanner, which has no session. */
async function callAsDevice(camera: Camera, method: string, path: string, body: object, token?: string) {
  const reply = await fetch(`${camera.home}/api/v1${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(`${method} ${path}: ${await reply.text()}`);
  return reply.status === 204 ? null : reply.json();
}

async function workAtTheDesk(camera: Camera): Promise<void> {
  const { page } = camera;
  await camera.go('Check-in', 'Desk');
  await camera.press('Main gate');
  const field = page.getByRole('combobox', { name: 'Name, e-mail, phone or code' });
  await field.pressSequentially('mül', { delay: 40 });
  await page.getByRole('listbox', { name: 'People found' }).waitFor();
  await camera.take('desk-find');
  await page.keyboard.press('Escape');
  await page.keyboard.press('F4');
  await camera.settle();
  await page.getByLabel('First name', { exact: true }).fill('Wanda');
  await page.getByLabel('Last name', { exact: true }).fill('Walker');
  await page.getByLabel('Type', { exact: true }).selectOption('adult');
  await camera.take('desk-walk-in', { height: 1180 });
  await camera.press('Register and check in');
  await page.locator('.desk-answer[data-result="accepted"]').waitFor();
  await camera.take('desk-answer');
}

async function watchAndOverride(camera: Camera): Promise<void> {
  const { page } = camera;
  await camera.go('Check-in', 'Live');
  await page.locator('.live[data-state="live"]').waitFor();
  await camera.take('door-live', { height: 1000 });
  await camera.go('Check-in', 'Check-ins');
  await camera.take('door-check-ins');
  // A long list draws only the rows that are in sight.
  await camera.open(`${FAIR}/check-in/check-ins?result=wrong_day`);
  const refused = page.getByRole('row').filter({ hasText: 'Ticket is for another day' }).first();
  await refused.locator('.row-link').click();
  const dialog = camera.dialog();
  await dialog.getByLabel('Reason').fill('Booked the wrong day, paid again at the desk');
  await camera.take('door-override', { height: 800 });
  await camera.press('Override', dialog);
}

async function afterTheLastPerson(camera: Camera): Promise<void> {
  await camera.go('Check-in', 'Reconciliation');
  await camera.take('door-reconciliation', { height: 560 });
  await camera.go('Check-in', 'Attendance');
  await camera.take('door-attendance');
  for (const report of ['attendance', 'refusals', 'money']) {
    await camera.open(`${FAIR}/reports?report=${report}`);
    await camera.take(`report-${report}`, { height: 900 });
  }
}
