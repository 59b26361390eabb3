import type { Camera } from './camera.ts';
import { FAIR } from './first-event.ts';

const LAKESIDE = '/events/lakeside-fair';

/** The other main screens, for the page that shows them all. */
export async function takeScreens(manager: Camera, owner: Camera): Promise<void> {
  const screens: [name: string, path: string, height?: number][] = [
    ['home', ''],
    ['events', '/events', 560],
    ['overview', LAKESIDE, 900],
    ['people', `${LAKESIDE}/people`],
    ['registrations', `${LAKESIDE}/people/registrations`],
    ['payments', `${LAKESIDE}/money`],
    ['report-registrations', `${LAKESIDE}/reports`, 900],
  ];
  for (const [name, path, height] of screens) {
    await manager.open(path);
    await manager.take(name, { ...(height !== undefined && { height }) });
  }
  await takePerson(manager);
  await takeFindAnything(manager);
  await fill(owner);
  const ofOwner: [name: string, path: string, height?: number][] = [
    ['form', `${FAIR}/page/questions`, 800],
    ['settings', `${FAIR}/settings`, 900],
    ['messages', `${FAIR}/messages`, 560],
    ['groups', '/groups', 560],
    ['team', '/team', 640],
    ['developers', '/developers', 640],
    ['organization', '/organization', 900],
  ];
  for (const [name, path, height] of ofOwner) {
    await owner.open(path);
    await owner.take(name, { ...(height !== undefined && { height }) });
  }
}

async function takePerson(camera: Camera): Promise<void> {
  const { data } = await camera.call('GET', `${LAKESIDE}/attendees?search=walker`);
  await camera.open(`${LAKESIDE}/people/${data[0].id}`);
  await camera.take('person', { height: 900 });
}

async function takeFindAnything(camera: Camera): Promise<void> {
  await camera.open(LAKESIDE);
  await camera.press(/^Find anything/);
  await camera.dialog().getByRole('combobox').fill('kaya');
  await camera.dialog().getByRole('option').first().waitFor();
  await camera.take('find-anything', { height: 560 });
}

/** Something to see on the screens of the organization. */
async function fill(camera: Camera): Promise<void> {
  await camera.post('/groups', { code: 'clubs', name: 'Clubs' });
  await camera.post('/groups', { code: 'rowing', name: 'Rowing club', parent: 'clubs' });
  await camera.post('/groups', { code: 'press', name: 'Press' });
  await camera.post('/invitations', { email: 'sam@example.org', role: 'desk', send: false });
  await camera.post('/invitations', { email: 'kim@example.org', role: 'manager', send: false });
  await camera.post('/keys', { name: 'Website', mode: 'live', scopes: ['read'] });
}
