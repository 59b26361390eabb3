import type { Page } from 'playwright-core';
import { PASSWORD } from '../../../server/src/areas/accounts/accounts.support.ts';
import { inDialog, type MadeUp, press, refusal, type Screen, said } from './screen.ts';
import type { ScreensWorld } from './world.ts';

const NO_TOKEN = 'x'.repeat(43);
const OVER = refusal(410, 'link_not_valid');
const SECOND_FACTOR: MadeUp = [200, { status: 'second_factor', organization: null, cleared: false }];
const SINGLE_SIGN_ON = (real: object) => ({ ...real, oidc: { name: 'login.example.org' } });

async function signIn(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'E-mail' }).fill('ada@example.org');
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await press(page, 'Sign in');
}

/** Signing in, and every page that a link of a mail leads to. */
export const signInScreens = ({ at }: ScreensWorld): Screen[] => {
  const nobody = (name: string, path: string, more: Partial<Screen> = {}): Screen => ({
    name,
    as: 'nobody',
    path,
    ...more,
  });
  const invited = (name: string, account: string, more: object = {}): Screen =>
    nobody(name, at.invitation, {
      answers: { 'POST /invitations/look': (real) => ({ ...real, account, ...more }) },
    });
  return [
    nobody('sign-in', '/app/-/sign-in', { answers: { 'GET /sign-in': SINGLE_SIGN_ON } }),
    nobody('sign-in wrong password', '/app/-/sign-in', {
      act: async (page) => {
        await signIn(page);
        await said(page, 'is wrong');
      },
    }),
    nobody('sign-in nothing typed', '/app/-/sign-in', { act: (page) => press(page, 'Sign in') }),
    nobody('sign-in too many tries', '/app/-/sign-in', {
      answers: { 'POST /sign-in/password': refusal(429, 'sign_in_throttled') },
      act: async (page) => {
        await signIn(page);
        await page.getByRole('alert').waitFor();
      },
    }),
    nobody('sign-in single sign-on failed', '/app/-/sign-in?error=oidc_address_not_proved'),
    nobody('sign-in no network', '/app/-/sign-in', {
      answers: { 'POST /sign-in/password': 'lost' },
      act: async (page) => {
        await signIn(page);
        await said(page, 'Can’t reach the server.');
      },
    }),
    nobody('second factor wrong code', '/app/-/sign-in', {
      answers: {
        'POST /sign-in/password': SECOND_FACTOR,
        'POST /sign-in/second-factor': refusal(401, 'second_factor_failed'),
      },
      act: async (page) => {
        await signIn(page);
        await page.getByRole('textbox', { name: 'Code' }).fill('123456');
        await press(page, 'Sign in');
        await page.getByRole('alert').waitFor();
      },
    }),
    nobody('second factor recovery code', '/app/-/sign-in', {
      answers: { 'POST /sign-in/password': SECOND_FACTOR },
      act: async (page) => {
        await signIn(page);
        await press(page, 'Use a recovery code instead');
      },
    }),
    nobody('mail link asked for', '/app/-/sign-in', {
      act: async (page) => {
        await press(page, 'E-mail me a link');
        await page.getByRole('heading', { name: 'E-mail me a link' }).waitFor();
        await press(page, 'E-mail me a link');
        await said(page, 'Fill this in.');
      },
    }),
    nobody('mail link sent', '/app/-/sign-in', {
      answers: { 'POST /sign-in/mail': [202, {}] },
      act: async (page) => {
        await page.getByRole('textbox', { name: 'E-mail' }).fill('ada@example.org');
        await press(page, 'E-mail me a link');
        await said(page, 'Check your e-mail');
      },
    }),
    { name: 'sign-in again', as: 'owner', path: '/app/-/sign-in', act: (page) => press(page, 'Sign in again') },
    { name: 'sign-in already done', as: 'owner', path: '/app/-/sign-in' },
    nobody('link', at.mailLink),
    nobody('link over', `/app/-/link#${NO_TOKEN}`, {
      act: async (page) => {
        await press(page, 'Sign in');
        await page.getByRole('alert').waitFor();
      },
    }),
    nobody('link incomplete', '/app/-/link'),
    nobody('link proved the address', at.mailLink, {
      answers: { 'POST /sign-in/link': [200, { status: 'signed_in', organization: null, cleared: true }] },
      act: async (page) => {
        await press(page, 'Sign in');
        await said(page, 'Your e-mail is verified');
      },
    }),
    nobody('sandbox', at.sandbox),
    { name: 'sandbox while signed in', as: 'owner', path: at.sandbox },
    nobody('sandbox incomplete', '/app/-/sandbox'),
    nobody('sign-up', '/app/-/start'),
    nobody('sign-up closed', '/app/-/start', {
      answers: { 'GET /sign-in': (real) => ({ ...real, signup: 'invited' }) },
    }),
    nobody('sign-up mailed', '/app/-/start', {
      answers: { 'POST /sign-up': [202, {}] },
      act: async (page) => {
        await page.getByRole('textbox', { name: 'E-mail' }).fill('ada@example.org');
        await press(page, 'E-mail me a link');
        await said(page, 'Check your e-mail');
      },
    }),
    nobody('start', at.start, {
      act: (page) => page.getByRole('textbox', { name: 'Organization name' }).fill('Müller & Söhne e. V.'),
    }),
    nobody('start with faults', at.start, {
      answers: {
        'POST /start': refusal(409, 'code_taken', { details: [{ path: 'organization/code', message: 'is taken' }] }),
      },
      act: async (page) => {
        await page.getByRole('textbox', { name: 'Organization name' }).fill('Acme');
        await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Ada');
        await press(page, 'Create organization');
        await page.getByRole('alert').waitFor();
      },
    }),
    nobody('start passkey offered', at.start, {
      answers: { 'POST /start': [200, { status: 'signed_in', organization: 'acme', cleared: false }] },
      act: async (page) => {
        await page.getByRole('textbox', { name: 'Organization name' }).fill('Acme');
        await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Ada');
        await press(page, 'Create organization');
        await said(page, 'Sign in without a password next time');
      },
    }),
    nobody('start over', `/app/-/start#${NO_TOKEN}`, { answers: { 'POST /start/look': OVER } }),
    {
      ...invited('invitation', 'none'),
      act: async (page) => {
        await page.getByLabel('Password').first().fill('short');
        await press(page, 'Join');
        await said(page, 'Enter at least 12 characters.');
      },
    },
    invited('invitation joins', 'joins', { role: 'owner', invited_by: null }),
    invited('invitation not proved', 'unproved', { role: 'desk', group: 'Nord' }),
    {
      ...invited('invitation not proved, address has an account', 'unproved'),
      answers: {
        'POST /invitations/look': (real) => ({ ...real, account: 'unproved' }),
        'POST /invitations/accept': refusal(401, 'sign_in_required'),
      },
      act: async (page) => {
        await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Ada');
        await press(page, 'Join');
        await said(page, 'This e-mail already has an account.');
      },
    },
    { ...invited('invitation for somebody else', 'other'), as: 'owner' },
    nobody('invitation over', at.invitation, { answers: { 'POST /invitations/look': OVER } }),
    nobody('invitation incomplete', '/app/-/invitation'),
    nobody('e-mail confirmation', `/app/-/email#${NO_TOKEN}`),
    nobody('e-mail confirmation signed out', `/app/-/email#${NO_TOKEN}`, {
      act: async (page) => {
        await press(page, 'Confirm');
        await said(page, 'First sign in to the account');
      },
    }),
    {
      name: 'e-mail confirmed',
      as: 'owner',
      path: `/app/-/email#${NO_TOKEN}`,
      answers: { 'POST /account/email/confirm': [204, null] },
      act: async (page) => {
        await press(page, 'Confirm');
        await said(page, 'E-mail confirmed');
      },
    },
  ];
};

const DEVICES = {
  totp: false,
  identities: [{ issuer: 'https://login.example.org', created_at: '2026-10-01T00:00:00Z' }],
  passkeys: [
    {
      id: '01980000-0000-7000-8000-000000000001',
      name: 'Chrome, Windows',
      created_at: '2026-10-01T00:00:00Z',
      last_used_at: '2026-11-15T00:00:00Z',
    },
    {
      id: '01980000-0000-7000-8000-000000000002',
      name: 'Maximilianes neues Telefon mit einem langen Namen',
      created_at: '2026-10-01T00:00:00Z',
      last_used_at: null,
    },
  ],
};

/** The account, which belongs to no organization. */
export const accountScreens = (): Screen[] => {
  const own = (name: string, part: string, more: Partial<Screen> = {}): Screen => ({
    name: `account ${name}`,
    as: 'owner',
    path: `/app/-/account?part=${part}`,
    ...more,
  });
  const full = { 'GET /account': (real: object) => ({ ...real, ...DEVICES }) };
  return [
    { name: 'account', as: 'owner', path: '/app/-/account' },
    ...['appearance', 'sign-in', 'pin', 'sessions', 'organizations'].map((part) => own(part, part)),
    own('sign-in full', 'sign-in', {
      answers: {
        'GET /account': (real) => ({ ...real, ...DEVICES, totp: true, recovery_codes_left: 8, email_proved: false }),
      },
    }),
    own('PIN set', 'pin', {
      answers: { 'GET /membership': (real) => ({ ...real, member: { ...real.member, door_pin: true } }) },
    }),
    { name: 'account of the sandbox', as: 'sandbox', path: '/app/-/account' },
    own('change e-mail', 'sign-in', { act: (page) => press(page, 'Change e-mail') }),
    own('change password', 'sign-in', {
      act: async (page) => {
        await press(page, 'Change password');
        await inDialog(page).getByLabel('New password').fill('short');
        await inDialog(page).getByRole('button', { name: 'Save' }).click();
        await said(page, 'Enter at least 12 characters.');
      },
    }),
    own('prove it', 'sign-in', {
      saving: true,
      answers: { 'POST /account/password': refusal(403, 'sign_in_again') },
      act: async (page) => {
        await press(page, 'Change password');
        await inDialog(page).getByLabel('New password').fill(PASSWORD);
        await inDialog(page).getByRole('button', { name: 'Save' }).click();
        await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
      },
    }),
    own('authenticator app', 'sign-in', {
      act: async (page) => {
        await press(page, 'Set up');
        await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
      },
    }),
    own('recovery codes', 'sign-in', {
      answers: {
        'POST /totp/confirm': [200, { recovery_codes: Array.from({ length: 10 }, (_, i) => `ABCD${i}-EFGH${i}`) }],
      },
      act: async (page) => {
        await press(page, 'Set up');
        await inDialog(page).getByRole('textbox', { name: 'Code' }).fill('123456');
        await press(page, 'Turn on');
        await page.getByRole('dialog', { name: 'Recovery codes' }).waitFor();
      },
    }),
    own('turn off authenticator app', 'sign-in', {
      answers: { 'GET /account': (real) => ({ ...real, totp: true, recovery_codes_left: 1 }) },
      act: (page) => press(page, 'Turn off'),
    }),
    own('rename passkey', 'sign-in', { answers: full, act: (page) => press(page, /^Rename Chrome/) }),
    own('remove passkey', 'sign-in', { answers: full, act: (page) => press(page, /^Remove Maximilianes/) }),
    own('door PIN', 'pin', {
      act: async (page) => {
        await press(page, /^Set PIN/);
        await inDialog(page).getByRole('textbox', { name: 'PIN' }).fill('12');
        await inDialog(page).getByRole('button', { name: 'Save' }).click();
        await said(page, 'Enter exactly six digits.');
      },
    }),
    own('end all other sessions', 'sessions', { act: (page) => press(page, 'Sign out everywhere else') }),
    own('leave an organization', 'organizations', {
      act: (page) => press(page, /^Leave Gesellschaft/),
    }),
    own('menu', 'profile', {
      widths: [1440],
      act: async (page) => {
        await press(page, /^Your account/);
        await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
      },
    }),
  ];
};
