import type { FastifyReply, FastifyRequest } from 'fastify';
import { DAY } from '../../clock.ts';
import { cookie, SESSION_COOKIE } from '../../road/gate/identify.ts';

const STEP = 'turnout_step';
const PASSKEY = 'turnout_passkey';
const KNOWN = 'turnout_known';
/** How long a step of signing in may take. */
export const STEP_MS = 10 * 60_000;
const YEAR = 365 * DAY;

/**
 * The cookies of a request, and those that its answer sets. On https their names begin with `__Host-`: then no other host, not even
 * one below the same domain, can set them. A cookie without that beginning is not looked at there.
 */
export class Cookies {
  readonly #header: string | undefined;
  readonly #reply: FastifyReply;
  readonly #secure: boolean;
  readonly #stepName: string;

  constructor(request: Pick<FastifyRequest, 'headers'>, reply: FastifyReply, secure: boolean, stepName = STEP) {
    this.#header = request.headers.cookie;
    this.#reply = reply;
    this.#secure = secure;
    this.#stepName = stepName;
  }

  /**
   * The same cookies, except that the step is the challenge of a passkey, which has a cookie of its own. The sign-in screen asks for a challenge as soon as it is
   * open, so that the browser can offer passkeys, and that must not end the sign-in that is under way in another tab.
   */
  forPasskey(): Cookies {
    return new Cookies({ headers: { cookie: this.#header } }, this.#reply, this.#secure, PASSKEY);
  }

  #name(name: string): string {
    return this.#secure ? `__Host-${name}` : name;
  }

  #set(name: string, value: string, ms: number): void {
    const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${Math.floor(ms / 1000)}${this.#secure ? '; Secure' : ''}`;
    this.#reply.header('Set-Cookie', `${this.#name(name)}=${value}; ${attributes}`);
  }

  get session(): string | undefined {
    return token(cookie(this.#header, this.#name(SESSION_COOKIE)));
  }
  setSession(value: string, ms: number): void {
    this.#set(SESSION_COOKIE, value, ms);
  }
  clearSession(): void {
    this.#set(SESSION_COOKIE, '', 0);
  }

  /** A sign-in that is under way in this browser. */
  get step(): string | undefined {
    return token(cookie(this.#header, this.#name(this.#stepName)));
  }
  setStep(value: string): void {
    this.#set(this.#stepName, value, STEP_MS);
  }
  clearStep(): void {
    if (this.step !== undefined) this.#set(this.#stepName, '', 0);
  }

  /** Which accounts have signed in with this browser before (known-browser.ts). */
  get known(): string {
    return cookie(this.#header, this.#name(KNOWN)) ?? '';
  }
  setKnown(value: string): void {
    this.#set(KNOWN, value, YEAR);
  }
}

const token = (value: string | undefined): string | undefined =>
  value !== undefined && /^[A-Za-z0-9_-]{43}$/.test(value) ? value : undefined;
