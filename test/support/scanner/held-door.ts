/**
 * The screen of the door in a page whose clocks stand still, and somebody who scans there much faster than a person: everything goes
 * by keys and clicks, and what is returned is read from the screen.
 */

/** One ticket that is held up. */
export interface Step {
  readonly code: string;
  /** The name of the point, as the screen shows it. */
  readonly point: string;
  readonly at: number;
  readonly test: boolean;
  /** The first names of who is here, if the screen asks. */
  readonly here: readonly string[];
}

/** What the screen said. */
export interface Shown {
  readonly result: string;
  readonly reason: string | null;
  readonly by: string | null;
  /** The word that is read from two metres. */
  readonly title: string;
  /** Some were admitted, others not. */
  readonly mixed: boolean;
  /** `said` is everything that the screen says about the person. */
  readonly people: readonly { readonly first_name: string; readonly result: string; readonly said: string }[];
}

export interface HeldDoor {
  scan(step: Step): Promise<Shown>;
  /** Switches test mode on or off, and waits until the device knows the tickets of that mode. */
  load(test: boolean): Promise<void>;
  /**
   * From now on the manifests that came before are repeated, with the time of the page. An answer that is on its way while the clocks
   * are moved would otherwise set the page to the time of before.
   */
  keepManifests(): void;
}

/**
 * Runs in the page before the app does. Its clocks stand at `start`, and what waits for a while waits for ever: the 400 ms for the
 * server's answer do not pass, however slow the machine is, and an answer covers the screen until it is clicked away.
 */
export function holdDoor(start: number): void {
  const A_WHILE = 300;
  const PATIENCE = 30_000;
  const real = {
    steady: performance.now.bind(performance),
    wait: setTimeout.bind(globalThis),
    ask: fetch.bind(globalThis),
  };
  let now = start;
  let keeping = false;
  Date.now = () => now;
  performance.now = () => now - start;
  Object.assign(globalThis, {
    setTimeout: (work: () => void, ms = 0) => (ms < A_WHILE ? real.wait(work, ms) : 0),
    fetch: askOrRepeat,
    door: { scan, load, keepManifests } satisfies HeldDoor,
  });

  const manifests = new Map<string, { etag: string | null; body: object }>();
  async function askOrRepeat(asked: RequestInfo | URL, how?: RequestInit): Promise<Response> {
    const address = String(asked);
    if (!address.includes('/scan/manifest')) return real.ask(asked, how);
    const known = keeping ? manifests.get(address) : undefined;
    if (known === undefined) {
      const answer = await real.ask(asked, how);
      if (answer.status === 200) {
        manifests.set(address, { etag: answer.headers.get('etag'), body: await answer.clone().json() });
      }
      return answer;
    }
    // Not a real Response: reading one takes a moment in which the clocks could be moved.
    const body = { ...known.body, server_time: new Date(now).toISOString() };
    const headers = new Headers(known.etag === null ? {} : { etag: known.etag });
    return { ok: true, status: 200, headers, json: async () => body } as Response;
  }
  function keepManifests(): void {
    keeping = true;
  }

  const find = <E extends HTMLElement>(selector: string, text?: string): E | null =>
    [...document.querySelectorAll<E>(selector)].find((one) => text === undefined || textOf(one) === text) ?? null;
  const textOf = (one: Element | null): string => one?.textContent.trim() ?? '';
  /** Long enough for the screen to be drawn again. */
  const moment = () => new Promise((resolve) => real.wait(resolve, 1));
  async function seen<T>(what: string, look: () => T | null | false): Promise<T> {
    for (const end = real.steady() + PATIENCE; real.steady() < end; ) {
      const found = look();
      if (found !== null && found !== false) return found;
      await moment();
    }
    throw new Error(`${what} did not come. The screen says: ${document.body.innerText}`);
  }
  /** After another screen or a question, it takes some frames until a scanner that types is heard again. */
  async function listening(): Promise<void> {
    await seen('the camera', () => find('.scan .camera'));
    for (let frames = 0; frames < 3; frames += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
  }

  const isTest = () => find('.scan-head .test-band') !== null;
  async function setTest(on: boolean): Promise<void> {
    find('.bar button', 'More')!.click();
    const mode = await seen('test mode', () => find('.switch span', 'Test mode')?.closest('label') ?? null);
    mode.querySelector('input')!.click();
    find('.page-head button')!.click();
    await seen('the mode', () => find('.scan') !== null && isTest() === on && history.state?.place === undefined);
    await listening();
  }
  async function load(test: boolean): Promise<void> {
    if (isTest() !== test) await setTest(test);
    // Until the device asks for the manifest of this mode, the line below is about the list of the other one.
    await seen('the manifest', () => [...manifests.keys()].some((address) => address.includes('test=true') === test));
    await seen('the list of tickets', () => /^\d+ tickets?, updated/.test(textOf(find('.freshness'))));
  }

  const pointNow = () => textOf(find('.where-point bdi'));
  async function choosePoint(point: string): Promise<void> {
    find('.where')!.click();
    const row = await seen(`the point ${point}`, () => find('.rows bdi', point)?.closest('button') ?? null);
    row.click();
    await seen('the point', () => pointNow() === point && history.state?.place === undefined);
    await listening();
  }

  /** As a scanner that pretends to be a keyboard does: every key within a moment, and Enter. Its pace does not depend on the page. */
  function type(text: string): void {
    const begun = performance.now();
    for (const [i, key] of [...text, 'Enter'].entries()) {
      const code = /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : /^\d$/.test(key) ? `Digit${key}` : key;
      const how = {
        code: key === '-' ? 'Minus' : code,
        shiftKey: /^[A-Z]$/.test(key),
        bubbles: true,
        cancelable: true,
      };
      const event = new KeyboardEvent('keydown', { key, ...how });
      document.body.dispatchEvent(Object.defineProperty(event, 'timeStamp', { value: begun + i * 5 }));
    }
  }

  async function scan({ code, point, at, test, here }: Step): Promise<Shown> {
    if (isTest() !== test) await setTest(test);
    if (pointNow() !== point) await choosePoint(point);
    now = at;
    type(code);
    const answer = () => find('.answer.covers');
    const question = () => find<HTMLDialogElement>('dialog[open]');
    await seen(`an answer to ${code}`, () => answer() ?? question());
    const asked = question();
    if (asked !== null) {
      await tell(asked, here);
      await seen(`an answer to ${code}`, () => question() === null && answer());
    }
    const shown = read(answer()!);
    answer()!.click();
    await seen('the camera', () => find('.answer.line'));
    if (asked !== null) await listening();
    return shown;
  }

  /** Answers who is here. */
  async function tell(asked: HTMLDialogElement, here: readonly string[]): Promise<void> {
    for (const label of asked.querySelectorAll('label')) {
      const box = label.querySelector('input')!;
      if (box.checked === here.includes(firstName(label))) continue;
      box.click();
      await moment();
    }
    asked.querySelector<HTMLButtonElement>('button[type="submit"]')!.click();
  }
  const firstName = (within: Element): string => textOf(within.querySelector('bdi')).replace(/ \S+$/, '');

  function read(answer: HTMLElement): Shown {
    const status = answer.querySelector<HTMLElement>('[data-result]')!;
    const { result = '', reason = null, by = null } = status.dataset;
    const several = [...answer.querySelectorAll<HTMLElement>('.answer-people li')].map((one) => ({
      first_name: firstName(one),
      result: one.dataset.result ?? '',
      said: textOf(one),
    }));
    const alone = answer.querySelector('.answer-words > .answer-name');
    const people = alone === null ? several : [{ first_name: firstName(alone), result, said: textOf(status) }];
    const title = textOf(answer.querySelector('.answer-title'));
    return { result, reason, by, title, mixed: answer.classList.contains('mixed'), people };
  }
}
