import { describe, expect, test } from 'vitest';
import { safeThen, signInAddress } from './then.ts';

describe('after signing in', () => {
  test.each(['/app/acme', '/app/acme/team?q=a&b=%2F#top', '/app/-/account'])('%s is gone back to', (then) =>
    expect(safeThen(then)).toBe(then),
  );

  test.each([
    'https://evil.test/app/acme',
    '//evil.test/app/acme',
    '/\\evil.test/app/acme',
    '\\\\evil.test/app/acme',
    '/\t/evil.test/app/',
    'javascript:alert(1)',
    'data:text/html,/app/',
    '/app/../v1/me',
    '/app/%2e%2e/v1/me',
    '/app',
    '/application/x',
    '/v1/me',
    '/app/-/sign-in?then=/app/-/sign-in',
    '/app/api/acme/members',
    '/app/assets/x.js',
    `/app/${'x'.repeat(2000)}`,
    '',
    null,
    7,
  ])('%j is not', (then) => expect(safeThen(then)).toBeNull());
});

test('the address of the sign-in screen leads back to where one is', () => {
  expect(signInAddress({ pathname: '/app/acme/team', search: '?q=a&b' })).toBe(
    '/app/-/sign-in?then=%2Fapp%2Facme%2Fteam%3Fq%3Da%26b',
  );
  expect(signInAddress({ pathname: '/app/-/sign-in', search: '?then=x' })).toBe('/app/-/sign-in');
});
