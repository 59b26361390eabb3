import type { ScanAnswer } from '../../../web/scan/src/engine/index.ts';
import type { HandOutRow } from '../../../web/scan/src/store/hand-outs.ts';
import type { DifferenceRow, KeptRow, LastRow, QueueRow } from '../../../web/scan/src/store/rows.ts';

/** What a person with a ticket sees on the screen. */
export interface Shown {
  readonly result: string;
  readonly admitted: boolean;
  readonly by: string;
}
export interface Answered {
  readonly shown: Shown;
  /** What the device has on its disk about the same scan. */
  readonly told: ScanAnswer;
}
export interface OnDisk {
  readonly queue: QueueRow[];
  readonly kept: KeptRow[];
  readonly differences: DifferenceRow[];
  readonly last: LastRow[];
  readonly hand_outs: HandOutRow[];
}
/** What tests call in a page of the scanner. The app itself knows nothing of it: it works with the screen, the keyboard and the disk. */
export interface InApp {
  holdUp(code: string, name: string): Promise<Answered>;
  onDisk(): Promise<OnDisk>;
}

/** Runs in the page before the app does. */
export function install(): void {
  const open = () =>
    new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('turnout-scan');
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
  const done = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });

  async function onDisk(): Promise<OnDisk> {
    const db = await open();
    try {
      const tx = db.transaction(['queue', 'kept', 'differences', 'last', 'hand_outs'], 'readonly');
      const all = <T>(store: string) => done<T[]>(tx.objectStore(store).getAll());
      const [queue, kept, differences, last, hand_outs] = await Promise.all([
        all<QueueRow>('queue'),
        all<KeptRow>('kept'),
        all<DifferenceRow>('differences'),
        all<LastRow>('last'),
        all<HandOutRow>('hand_outs'),
      ]);
      return { queue, kept, differences, last, hand_outs };
    } finally {
      db.close();
    }
  }

  /** The scan that was told last. It is on disk before it is on the screen. */
  async function newest(): Promise<ScanAnswer> {
    const db = await open();
    try {
      const cursor = await done(db.transaction('last', 'readonly').objectStore('last').openCursor(null, 'prev'));
      return (cursor!.value as LastRow).told;
    } finally {
      db.close();
    }
  }

  const answer = () => document.querySelector<HTMLElement>('[role="status"][data-result]');

  /**
   * Every key within a moment and then Enter, as a scanner does that pretends to be a keyboard. The system notes when a key of a keyboard was
   * pressed, however busy the page is. Keys that a page makes would have the time at which it got round to making them.
   */
  function type(text: string): void {
    const begun = performance.now();
    for (const [i, key] of [...text, 'Enter'].entries()) {
      const code = /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : /^\d$/.test(key) ? `Digit${key}` : key;
      const how = { bubbles: true, cancelable: true, composed: true };
      const event = new KeyboardEvent('keydown', { key, code, shiftKey: /^[A-Z]$/.test(key), ...how });
      document.body.dispatchEvent(Object.defineProperty(event, 'timeStamp', { value: begun + i * 5 }));
    }
  }

  /** Resolves when the screen tells about somebody of this name, which nobody else has. */
  async function holdUp(code: string, name: string): Promise<Answered> {
    const tells = () => answer()?.textContent?.includes(name) === true;
    if (tells())
      throw new Error(`${name} is on the screen already, so an answer could not be told from the one before.`);
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => {
        observer.disconnect();
        const said = `There was no answer for ${name} within 60 s. The screen says: ${document.body.innerText}`;
        void onDisk().then(({ queue }) => {
          const read = queue.toSorted((a, b) => b.n - a.n)[0]?.code;
          reject(new Error(`${said}\nTyped was ${code}; the last scan in the queue is of ${read}.`));
        }, reject);
      }, 60_000);
      const observer = new MutationObserver(() => {
        if (!tells()) return;
        clearTimeout(late);
        observer.disconnect();
        resolve();
      });
      observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
      type(code);
    });
    const { result, admitted, by } = answer()!.dataset;
    return { shown: { result: result!, admitted: admitted === 'true', by: by! }, told: await newest() };
  }

  const inApp: InApp = { holdUp, onDisk };
  Object.assign(globalThis, { inApp });
}
