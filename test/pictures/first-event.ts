import type { Camera } from './camera.ts';

export const FAIR = '/events/harbour-fair';

/** Guide “Your first event in ten minutes”: from the printed link to the first registered people. */
export async function takeFirstEvent(camera: Camera, startLink: string): Promise<void> {
  await makeOrganization(camera, startLink);
  await createEvent(camera);
  await lookAtDays(camera);
  await addTypes(camera);
  await addQuestion(camera);
  await addPoint(camera);
  await sayHowMany(camera);
  await publish(camera);
  await register(camera);
}

async function makeOrganization(camera: Camera, startLink: string): Promise<void> {
  const { page } = camera;
  await page.goto(startLink);
  await page.getByLabel('Organization name').fill('Harbour Events');
  await page.getByLabel('Name', { exact: true }).fill('Mia Berg');
  await page.getByLabel('E-mail').fill('mia@example.org');
  await page.getByLabel('Password').first().fill('correct horse battery staple');
  await camera.take('start', { height: 980 });
  await camera.press('Create organization');
  await camera.press('Not now');
  camera.org = 'harbour-events';
  await page.waitForURL('**/app/harbour-events');
  await camera.take('home-empty', { height: 520 });
}

async function createEvent(camera: Camera): Promise<void> {
  const { page } = camera;
  await camera.press('Create event');
  await page.getByLabel('Name', { exact: true }).fill('Harbour Fair');
  await page.getByLabel('First day').fill('2027-09-18');
  await page.getByLabel('Last day').fill('2027-09-19');
  await page.getByLabel('Opens').fill('10:00');
  await page.getByLabel('Closes').fill('18:00');
  await page.getByLabel('Venue').fill('Old Harbour, Pier 3');
  await page.getByLabel('Paid').check();
  await camera.take('event-new', { height: 980 });
  await camera.press('Create event');
  await page.waitForURL(`**${FAIR}`);
  await camera.take('event-checklist', { height: 900 });
}

async function lookAtDays(camera: Camera): Promise<void> {
  await camera.go('Tickets & prices', 'Days');
  await camera.take('form-days', { height: 1120 });
}

async function addTypes(camera: Camera): Promise<void> {
  const { page } = camera;
  await camera.go('Tickets & prices', 'Types & prices');
  const form = page.locator('.form-edit');
  for (const [name, price] of [
    ['Adult', '18'],
    ['Child', '6'],
    ['Crew', '0'],
  ] as const) {
    await camera.press('Add type');
    await form.getByLabel('Name', { exact: true }).fill(name);
    await form.getByLabel('Price', { exact: true }).fill(price);
    if (name === 'Crew') await form.getByLabel('Require approval').check();
    if (name === 'Adult') await camera.take('form-types', { height: 940 });
    await form.getByRole('button', { name: 'Add type', exact: true }).last().click();
    await camera.button(name).waitFor();
    await page.locator('.badge', { hasText: 'Not saved yet' }).waitFor({ state: 'detached' });
  }
}

async function addQuestion(camera: Camera): Promise<void> {
  const { page } = camera;
  await camera.go('Page', 'Form');
  await camera.press('Add question');
  const form = page.locator('.form-edit');
  await form.getByLabel('Question', { exact: true }).fill('What do you eat?');
  await form.getByLabel('Kind of answer').selectOption({ label: 'Single choice' });
  await form.getByLabel('Option 1', { exact: true }).fill('Everything');
  await form.getByLabel('Option 2', { exact: true }).fill('Vegetarian');
  await camera.press('Add option', form);
  await form.getByLabel('Option 3', { exact: true }).fill('Vegan');
  await form.getByLabel('Use as a filter').check();
  await camera.take('form-questions', { height: 1000 });
  await form.getByRole('button', { name: 'Add question', exact: true }).last().click();
  await camera.button('What do you eat?').waitFor();
  await page.locator('.badge', { hasText: 'Not saved yet' }).waitFor({ state: 'detached' });
}

async function addPoint(camera: Camera): Promise<void> {
  const { page } = camera;
  await camera.go('Check-in', 'Check-in points');
  await camera.press(/^Add (point|a check-in point)$/);
  const form = camera.dialog();
  await form.getByLabel('Name', { exact: true }).fill('Main gate');
  await camera.take('point-new', { of: form });
  await camera.press('Add point', form);
  await page.waitForURL('**/check-in/points/*');
}

async function sayHowMany(camera: Camera): Promise<void> {
  await camera.go('Settings');
  await camera.link('Registration').click();
  const registration = camera.page.getByRole('region', { name: 'Registration', exact: true });
  await registration.getByLabel('Places').fill('500');
  await registration.getByLabel('Waitlist').check();
  await registration.scrollIntoViewIfNeeded();
  await camera.press('Save', registration);
  await camera.page.getByText('Saved').first().waitFor();
}

async function publish(camera: Camera): Promise<void> {
  await camera.go('Overview');
  await camera.take('event-publish', { height: 900 });
  const list = camera.page.getByRole('region', { name: 'Before you publish' });
  await camera.press('Publish', list);
  await list.waitFor({ state: 'detached' });
}

async function register(camera: Camera): Promise<void> {
  const { page } = camera;
  await camera.go('People');
  await camera.link('Add people').click();
  await camera.settle();
  const person = page.getByRole('region', { name: 'Person 1' });
  await person.getByLabel('First name').fill('Ada');
  await person.getByLabel('Last name').fill('Byron');
  await person.getByLabel('Type').selectOption({ label: 'Adult · €18.00' });
  await person.getByLabel(/Sat/).check();
  await person.getByLabel('E-mail').fill('ada@example.org');
  await camera.take('register', { height: 1000 });
  await camera.press('Register');
  await page.getByRole('heading', { level: 1, name: /^Registration / }).waitFor();
  await camera.press('Record payment');
  const payment = camera.dialog();
  await payment.getByLabel('Method').selectOption('Cash');
  await camera.take('payment-record', { of: payment });
  await camera.press('Record payment', payment);
  await page.locator('.page-head').getByText('Confirmed').waitFor();
  await camera.take('registration', { height: 900 });
}
