import { EngineError } from './errors.ts';

/**
 * Only one tab of a browser scans: two would send the same queue. The browser's lock says which, also if a tab dies. A second tab may
 * take the lock away; then the browser notifies the first tab, which stops. Both rely on what is on disk, so nothing is lost in between.
 */
const NAME = 'turnout-scan';

let held: { lost: Set<() => void> } | null = null;

/** Takes the lock from the tab that holds it. */
export const takeOver = (): Promise<void> => acquire({ steal: true });

/** Takes the lock, or throws if another tab has it. `lost` is called once if another tab takes it away. */
export async function requireLock(lost: () => void): Promise<() => void> {
  if (held === null) await acquire({ ifAvailable: true });
  const mine = held;
  mine?.lost.add(lost);
  return () => mine?.lost.delete(lost);
}

function acquire(options: LockOptions): Promise<void> {
  if (held !== null) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const mine = { lost: new Set<() => void>() };
    navigator.locks
      .request(NAME, options, (lock) => {
        if (lock === null) {
          reject(new EngineError('other_tab', 'Another tab of this browser is scanning.'));
          return undefined;
        }
        held = mine;
        resolve();
        return new Promise<void>(() => {}); // held until the tab is closed or another one takes it
      })
      .catch((error) => {
        if (held === mine) held = null;
        for (const lost of mine.lost) lost();
        reject(error);
      });
  });
}
