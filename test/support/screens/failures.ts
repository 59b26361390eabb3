import { press, refusal, type Screen } from './screen.ts';

/** What is shown when something is in the way, inside the frame and in place of it. */
export const failureScreens = (): Screen[] => {
  const at = (name: string, path: string, answers: Screen['answers'] = {}): Screen => ({
    name: `failure ${name}`,
    as: 'owner',
    path: `/app${path}`,
    answers,
  });
  return [
    { name: 'failure signed out', as: 'nobody', path: '/app/rhein/team' },
    at('not found', '/no-such-organization'),
    at('no such screen', '/-/no-such-screen'),
    at('refused', '/rhein', { 'GET /membership': refusal(403, 'permission_required') }),
    at('second factor required', '/rhein', { 'GET /membership': refusal(403, 'second_factor_required') }),
    at('no network', '/rhein', { 'GET /membership': 'lost' }),
    at('no network inside the frame', '/rhein/groups', { 'GET /groups': 'lost' }),
    at('refused inside the frame', '/rhein/developers/keys', { 'GET /keys': refusal(403, 'permission_required') }),
    at('not found inside the frame', '/rhein/developers/webhooks/01980000-0000-7000-8000-000000000000'),
    at('fault of the server', '/rhein/developers/webhooks', { 'GET /webhooks': refusal(500, 'internal_error') }),
    at('broken', '/rhein', {
      'GET /membership': (real) => ({ ...real, member: { ...real.member, permissions: null } }),
    }),
    {
      ...at('permission lost meanwhile', '/rhein/developers/keys/new', {
        'POST /keys': refusal(403, 'permission_required'),
      }),
      act: async (page) => {
        await page.getByLabel('Name').fill('Too late');
        await page.getByLabel('Read', { exact: true }).check();
        await press(page, 'Create key');
        await page.getByRole('alert').waitFor();
      },
    },
    {
      ...at('signed out meanwhile', '/rhein/developers/keys/new', { 'POST /keys': refusal(401, 'sign_in_required') }),
      act: async (page) => {
        await page.getByLabel('Name').fill('Too late');
        await page.getByLabel('Read', { exact: true }).check();
        await press(page, 'Create key');
        await page.getByRole('alert').waitFor();
      },
    },
  ];
};
