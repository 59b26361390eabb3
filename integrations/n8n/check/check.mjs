// Runs the packed nodes in a real n8n against a real Turnout: a workflow, trigger and action, is turned on, somebody registers, the
// workflow adds a guest, and it is turned off. Prints what it saw, and takes pictures of n8n's editor. How to call it: ../README.md.
//
//   N8N_FOLDER    a folder into which n8n was installed (`npm install n8n`)
//   PICTURES      a folder for the pictures
//   DB_TYPE, …    n8n's own settings are passed on to it
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('..', import.meta.url));
const repository = join(project, '..', '..');
const { N8N_FOLDER, PICTURES = join(tmpdir(), 'n8n-pictures') } = process.env;
if (N8N_FOLDER === undefined) throw new Error('N8N_FOLDER is not set');
const folder = mkdtempSync(join(tmpdir(), 'turnout-n8n-check-'));
const [turnoutPort, n8nPort] = ['15300', '15678'];
const turnout = `http://127.0.0.1:${turnoutPort}`;
const n8n = `https://127.0.0.1:${n8nPort}`;
const children = [];
const say = (line) => console.log(line);

function start(name, command, args, env, ready) {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  return new Promise((resolve, reject) => {
    let said = '';
    const read = (chunk) => {
      said += chunk;
      if (ready.test(said)) resolve(child);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('exit', (code) => reject(new Error(`${name} ended (${code}):\n${said.slice(-3000)}`)));
  });
}

async function call(base, method, path, { body, headers = {} } = {}) {
  const answer = await fetch(base + path, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  const [cookie] = answer.headers.getSetCookie();
  return { cookie: cookie?.split(';')[0], ...(text === '' ? {} : JSON.parse(text)) };
}

async function eventually(what, test) {
  for (let attempt = 0; attempt < 120; attempt++) {
    const found = await test();
    if (found) return found;
    await sleep(500);
  }
  throw new Error(`It never happened: ${what}`);
}

try {
  // Both only listen on this machine; n8n has a certificate of its own, which Turnout is told to trust.
  const certificate = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  execFileSync('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=127.0.0.1'],
    ...['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', certificate[0], '-out', certificate[1]],
  ]);
  const turnoutEnv = {
    PORT: turnoutPort,
    DATA_DIR: join(folder, 'turnout'),
    SANDBOX: 'off',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32',
    WEBHOOK_CA_FILE: certificate[1],
  };
  await start('Turnout', process.execPath, [join(repository, 'server/src/main.ts')], turnoutEnv, /Stop with Ctrl-C/);
  const operator = (...args) =>
    JSON.parse(
      execFileSync(process.execPath, [join(repository, 'server/bin/turnout.mjs'), ...args], {
        cwd: repository,
        env: { ...process.env, ...turnoutEnv },
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    );
  operator('org', 'create', '--code', 'acme', '--name', 'Acme Events', '--plan', 'scale');
  const { secret } = operator(
    ...['key', 'create', '--org', 'acme', '--name', 'n8n', '--mode', 'live', '--scopes', 'read,write,admin,scanner'],
  );
  let serial = 0;
  const api = (method, path, body) =>
    call(turnout, method, `/v1${path}`, {
      body,
      headers: { authorization: `Bearer ${secret}`, 'idempotency-key': `check-${++serial}` },
    });
  const event = await api('POST', '/events', { code: 'fair', name: 'Summer fair' });
  await api('POST', '/events/fair/days', { code: 'sat', name: 'Saturday', date: '2040-06-02' });
  await api('POST', '/events/fair/attendee-types', { code: 'adult', name: 'Adult' });
  await api('POST', '/events/fair/publish');
  say(`Turnout runs at ${turnout} with an event`);

  // As n8n installs a community package: below its own folder, without the peers.
  const nodes = join(folder, 'n8n', '.n8n', 'nodes');
  mkdirSync(nodes, { recursive: true });
  writeFileSync(join(nodes, 'package.json'), '{ "private": true }');
  const npm = (cwd, ...args) =>
    execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  npm(project, 'run', 'build');
  const [{ filename }] = JSON.parse(npm(project, 'pack', '--json', '--ignore-scripts', '--pack-destination', folder));
  npm(nodes, 'install', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund', join(folder, filename));
  const n8nEnv = {
    N8N_USER_FOLDER: join(folder, 'n8n'),
    N8N_PORT: n8nPort,
    N8N_LISTEN_ADDRESS: '127.0.0.1',
    N8N_PROTOCOL: 'https',
    N8N_SSL_KEY: certificate[0],
    N8N_SSL_CERT: certificate[1],
    WEBHOOK_URL: `${n8n}/`,
    N8N_DIAGNOSTICS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
    N8N_TEMPLATES_ENABLED: 'false',
    N8N_PERSONALIZATION_ENABLED: 'false',
  };
  const program = join(N8N_FOLDER, 'node_modules/n8n/bin/n8n');
  await start('n8n', process.execPath, [program, 'start'], n8nEnv, /Editor is now accessible/);
  // Only this process believes n8n's certificate without looking; Turnout checks it.
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  const { data: settings } = await call(n8n, 'GET', '/rest/settings');
  say(`n8n ${settings.versionCli ?? ''} runs at ${n8n} with ${filename}`);

  const owner = { email: 'ada@example.org', firstName: 'Ada', lastName: 'Lovelace', password: 'Countess-1815' };
  const { cookie } = settings.userManagement.showSetupOnFirstLoad
    ? await call(n8n, 'POST', '/rest/owner/setup', { body: owner })
    : await call(n8n, 'POST', '/rest/login', { body: { emailOrLdapLoginId: owner.email, password: owner.password } });
  const rest = async (method, path, body) =>
    (await call(n8n, method, `/rest${path}`, { body, headers: { cookie } })).data;

  const data = { address: turnout, apiKey: secret };
  const credential = await rest('POST', '/credentials', { name: 'Turnout', type: 'turnoutApi', data });
  const tested = await rest('POST', '/credentials/test', { credentials: { ...credential, data } });
  say(`the credential's test says: ${tested.status} ${tested.message}`);

  const credentials = { turnoutApi: { id: credential.id, name: credential.name } };
  const node = (name, type, at, parameters, more = {}) => ({
    id: crypto.randomUUID(),
    name,
    type: `n8n-nodes-turnout.${type}`,
    typeVersion: 1,
    position: [at, 300],
    parameters,
    credentials,
    ...more,
  });
  const fair = { __rl: true, mode: 'list', value: event.id, cachedResultName: event.name };
  const workflow = await rest('POST', '/workflows', {
    name: 'A guest for everybody',
    nodes: [
      node(
        'Turnout Trigger',
        'turnoutTrigger',
        300,
        { events: ['registration.confirmed'], event: fair },
        { webhookId: crypto.randomUUID() },
      ),
      node('Turnout', 'turnout', 560, {
        resource: 'registration',
        operation: 'addAttendee',
        event: fair,
        registration: '={{ $json.data.id }}',
        attendeeType: 'adult',
        firstName: 'Guest of',
        lastName: '={{ $json.data.attendees[0].first_name }}',
        days: ['sat'],
      }),
    ],
    connections: { 'Turnout Trigger': { main: [[{ node: 'Turnout', type: 'main', index: 0 }]] } },
    settings: { saveDataSuccessExecution: 'all' },
  });

  const subscribed = async () => (await api('GET', '/webhooks')).data;
  say(`endpoints in Turnout before: ${JSON.stringify(await subscribed())}`);
  await rest('POST', `/workflows/${workflow.id}/activate`, { versionId: workflow.versionId });
  const [endpoint] = await eventually('a webhook endpoint', async () => {
    const all = await subscribed();
    return all.length > 0 && all;
  });
  say(`turned on: ${endpoint.events} of ${endpoint.event} to ${endpoint.url} (${endpoint.description})`);

  const attendees = [{ attendee_type: 'adult', first_name: 'Zoë', last_name: '王小明', days: ['sat'] }];
  const registration = await api('POST', '/events/fair/registrations', { attendees });
  const people = await eventually('a guest in the registration', async () => {
    const { attendees: all } = await api('GET', `/events/fair/registrations/${registration.id}`);
    return all.length === 2 && all;
  });
  say(
    `registered one; now in the registration: ${people.map((one) => `${one.first_name} ${one.last_name}`).join(', ')}`,
  );
  const { data: log } = await api('GET', '/audit-log?action=registration.attendee_added');
  say(`the audit log says it was done by: ${log[0].client}`);
  const runs = await eventually('an execution that succeeded', async () => {
    const { results } = await rest(
      'GET',
      `/executions?filter=${encodeURIComponent(JSON.stringify({ workflowId: workflow.id }))}`,
    );
    return results.some(({ status }) => status === 'success') && results;
  });
  say(`executions in n8n: ${runs.map(({ id, status, mode }) => `${id} ${status} (${mode})`).join(', ')}`);
  const forged = await fetch(endpoint.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  say(`a request without a signature is answered with ${forged.status}`);

  await takePictures(cookie, workflow.id, runs[0].id).catch((error) => {
    say(`no pictures: ${error.message}`);
    process.exitCode = 1;
  });
  await rest('POST', `/workflows/${workflow.id}/deactivate`, {});
  await eventually('no webhook endpoint', async () => (await subscribed()).length === 0);
  say(`turned off; endpoints in Turnout after: ${JSON.stringify(await subscribed())}`);
} finally {
  for (const child of children) child.removeAllListeners('exit').kill('SIGTERM');
  await Promise.all(children.map((child) => child.exitCode ?? new Promise((resolve) => child.once('exit', resolve))));
  rmSync(folder, { recursive: true, force: true });
}

async function takePictures(cookie, workflow, execution) {
  mkdirSync(PICTURES, { recursive: true });
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
  try {
    const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport: { width: 1280, height: 800 } });
    const [name, value] = cookie.split('=');
    await context.addCookies([{ name, value, domain: '127.0.0.1', path: '/', secure: true, httpOnly: true }]);
    const page = await context.newPage();
    page.setDefaultTimeout(120_000);
    const shoot = async (file) => {
      await sleep(1500);
      await page.screenshot({ path: join(PICTURES, `${file}.png`) });
      say(`picture: ${join(PICTURES, `${file}.png`)}`);
    };
    await page.goto(`${n8n}/workflow/${workflow}`);
    await page.getByText('Turnout Trigger').first().waitFor();
    await shoot('workflow');
    for (const [node, file] of [
      ['Turnout Trigger', 'trigger'],
      ['Turnout', 'action'],
    ]) {
      const label = await page.getByText(node, { exact: true }).first().boundingBox();
      // The box of a node is above its name.
      await page.mouse.dblclick(label.x + label.width / 2, label.y - 60);
      await shoot(file);
      await page.keyboard.press('Escape');
    }
    await page.goto(`${n8n}/workflow/${workflow}/executions/${execution}`);
    await page.getByText('Succeeded').first().waitFor();
    await shoot('execution');
  } finally {
    await browser.close();
  }
}
