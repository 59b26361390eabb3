import type { Camera } from './camera.ts';
import { FAIR } from './first-event.ts';

const FIRST = ['Amara', 'Björn', 'Chiara', 'Daniel', 'Elif', 'Femi', 'Greta', 'Hugo', 'Ines', 'Jonas', 'Kaya', 'Luca'];
const LAST = ['Alvarez', 'Brandt', 'Conti', 'Diallo', 'Eriksson', 'Fischer', 'Gupta', 'Hansen', 'Ito', 'Jansen'];
const ROWS = 48;

/** A list as people keep it: one type that does not exist, and one wrong address. */
function list(): string {
  const rows = Array.from({ length: ROWS }, (_, i) => {
    const [first, last] = [FIRST[i % FIRST.length]!, LAST[(i * 7) % LAST.length]!];
    const email = `${first}.${last}.${i}@example.org`
      .normalize('NFD')
      .replaceAll(/[^\w.@]/g, '')
      .toLowerCase();
    const type = i % 8 === 5 ? 'Crew' : i % 4 === 2 ? 'Child' : i === 9 || i === 28 ? 'Grown-up' : 'Adult';
    const diet = ['Everything', 'Vegetarian', 'Vegan'][i % 3];
    return [first, last, i === 19 ? 'luca at example.org' : email, type, i % 2 ? '2027-09-18' : '2027-09-19', diet];
  });
  const headings = ['First name', 'Last name', 'E-mail', 'Ticket type', 'Days', 'What do you eat?'];
  return [headings, ...rows].map((row) => row.join(',')).join('\n');
}

/** Guide “People in and out”, in the event of the first guide. */
export async function takePeople(camera: Camera): Promise<void> {
  await importList(camera);
  await changeMany(camera);
  await sendMessage(camera);
  await exportPeople(camera);
  await camera.open(`${FAIR}/people/import/platform`);
  await camera.take('import-platform', { height: 640 });
  await erase(camera);
}

async function importList(camera: Camera): Promise<void> {
  const { page } = camera;
  await camera.open(FAIR);
  await camera.go('People', 'Import');
  await camera.take('import-file');
  const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(list()) };
  await page.getByLabel('CSV file').setInputFiles(file);
  await page.waitForURL(/step=columns/);
  await camera.take('import-columns', { height: 900 });
  await camera.press('Preview import');
  await page.getByRole('heading', { name: '3 rows to correct' }).waitFor();
  await page.getByLabel('Ticket type, row 1', { exact: true }).fill('Adult');
  await camera.take('import-preview', { height: 1000 });
  await camera.press(/ with “Adult” in 1 more row/);
  await page.locator('input[aria-label^="E-mail, row"][aria-invalid="true"]').fill('luca@example.org');
  await camera.press('Check corrections');
  await page.getByText('Corrected and checked').nth(2).waitFor();
  await camera.press(`Import ${ROWS} people`);
  await page.getByRole('link', { name: 'Show people' }).waitFor({ timeout: 60_000 });
  await camera.take('import-done', { height: 640 });
  await camera.link('Show people').click();
  await camera.settle();
}

async function changeMany(camera: Camera): Promise<void> {
  const { page } = camera;
  await camera.open(`${FAIR}/people`);
  await page.getByRole('search').getByRole('button', { name: 'What do you eat?' }).click();
  await page.getByRole('dialog', { name: 'What do you eat?' }).getByLabel('Vegan', { exact: true }).click();
  await page.keyboard.press('Escape');
  await camera.settle();
  await page.getByLabel('Select all loaded rows').check();
  await camera.take('people-select');
  for (const first_name of ['Noor', 'Oskar', 'Pia'])
    await camera.post(`${FAIR}/registrations`, {
      ...{ attendees: [{ attendee_type: 'crew', first_name, last_name: 'Keller', days: ['2027-09-18'] }] },
    });
  await camera.open(`${FAIR}/people/registrations?status=pending_approval`);
  await page.getByLabel('Select all loaded rows').check();
  await camera.press(/^Approve/);
  await camera.take('registrations-approve', { height: 640 });
  await camera
    .dialog()
    .getByRole('button', { name: /^Approve/ })
    .click();
  await camera.settle();
}

async function sendMessage(camera: Camera): Promise<void> {
  const { page } = camera;
  await camera.open(`${FAIR}/messages`);
  await camera.link('New message').click();
  await camera.settle();
  await page.getByLabel('Subject').fill('Crew: we meet at eight');
  await page
    .getByLabel('Text', { exact: true })
    .fill('Dear {{first_name}},\n\nthe crew meets on **Saturday at 8:00** at the main gate.\n\nSee you there!');
  await page.getByLabel('Crew', { exact: true }).check();
  await page.getByText(/^Reaches \d+ people/).waitFor();
  await camera.take('message-new', { height: 1000 });
  await camera.press('Send …');
  await camera.take('message-send', { of: camera.dialog() });
  await camera.press('Send now', camera.dialog());
  await page.getByRole('heading', { level: 1, name: 'Crew: we meet at eight' }).waitFor();
  await camera.take('message-sent');
}

async function exportPeople(camera: Camera): Promise<void> {
  const { page } = camera;
  await camera.open(`${FAIR}/people/export`);
  await camera.press('Create file');
  await page.getByRole('region', { name: 'File' }).getByRole('link', { name: 'Download' }).waitFor();
  await camera.take('export', { height: 900 });
}

async function erase(camera: Camera): Promise<void> {
  const { page } = camera;
  await camera.open('/contacts');
  await camera.take('contacts');
  await page.getByRole('searchbox').fill('luca');
  await camera.settle();
  await camera.link(/^Luca /).click();
  await camera.settle();
  await camera.take('contact', { height: 800 });
  await camera.press(/^Erase/);
  await camera.take('contact-erase', { of: camera.dialog() });
}
