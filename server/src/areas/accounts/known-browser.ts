import { randomBytes, timingSafeEqual } from 'node:crypto';
import { type Id, isUlid, toUlid } from '../../common/ids.ts';
import type { Secrets } from '../../common/secrets.ts';
import type { AccountCall } from './call.ts';

/**
 * The cookie names the accounts that have signed in with this browser before: `account.random.signature`, up to five of them,
 * separated by `~`. A try from such a browser is throttled by itself. Otherwise somebody who keeps guessing at an account could
 * keep its owner out.
 */
const MAX_ACCOUNTS = 5;

interface KnownBrowser {
  account: string;
  browser: string;
  text: string;
}

const signature = (secrets: Secrets, account: string, browser: string): string =>
  secrets.sign(`known browser ${account} ${browser}`).toString('base64url');

function browsersIn(secrets: Secrets, cookie: string): KnownBrowser[] {
  if (cookie.length > 1000) return [];
  return cookie.split('~').flatMap((text) => {
    const [account = '', browser = '', signed = ''] = text.split('.');
    if (!isUlid(account)) return [];
    const right = Buffer.from(signature(secrets, account, browser));
    const given = Buffer.from(signed);
    return given.length === right.length && timingSafeEqual(given, right) ? [{ account, browser, text }] : [];
  });
}

/** A name for this browser if the account has signed in with it before, else null. */
export function knownBrowser({ secrets, cookies }: AccountCall, account: Id): string | null {
  const name = toUlid(account);
  return browsersIn(secrets, cookies.known).find((one) => one.account === name)?.browser ?? null;
}

/** Remembers that the account has signed in with this browser. */
export function rememberBrowser({ secrets, cookies }: AccountCall, account: Id): void {
  const name = toUlid(account);
  const others = browsersIn(secrets, cookies.known).filter((one) => one.account !== name);
  const browser = knownBrowserName();
  const own = `${name}.${browser}.${signature(secrets, name, browser)}`;
  cookies.setKnown([own, ...others.map((one) => one.text)].slice(0, MAX_ACCOUNTS).join('~'));
}

const knownBrowserName = (): string => randomBytes(12).toString('base64url');
