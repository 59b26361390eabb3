import type { Parts } from './parts.ts';

/** Less free space than this is said before it is too late. */
const LITTLE_SPACE = 5_000_000;
const LOOK_EVERY = 60_000;
/** Packing the roster anew takes a second of the worker; it is done when nobody scans. */
const FOLD_EVERY = 30_000;

/** What happens around the engine: the network comes back, the app comes to the front, the storage fills up. Returns how to stop. */
export function watch(parts: Parts, ask: () => void): (() => void)[] {
  const visible = () => {
    if (document.visibilityState === 'visible') ask();
  };
  addEventListener('online', ask);
  document.addEventListener('visibilitychange', visible);
  const looking = setInterval(() => void look(parts), LOOK_EVERY);
  const folding = setInterval(() => void parts.roster.fold().catch(() => {}), FOLD_EVERY);
  const updating = parts.board.listen(() => update(parts));
  void look(parts);
  return [
    () => removeEventListener('online', ask),
    () => document.removeEventListener('visibilitychange', visible),
    () => clearInterval(looking),
    () => clearInterval(folding),
    updating,
  ];
}

async function look({ board }: Parts): Promise<void> {
  const { storage } = navigator;
  if (storage === undefined) return;
  board.persistent = await storage.persisted().catch(() => false);
  const { quota, usage } = await storage.estimate().catch((): StorageEstimate => ({}));
  if (quota !== undefined && usage !== undefined && quota - usage < LITTLE_SPACE && board.storage === 'ok') {
    board.storage = 'full';
  }
  board.changed();
}

let wasTooOld = false;
/** The server wants a newer app: the service worker looks for one. Once each time the server says so. */
function update({ board }: Parts): void {
  const old = board.link.connection === 'too_old';
  if (old && !wasTooOld) {
    void navigator.serviceWorker?.getRegistration().then(
      (registration) => registration?.update(),
      () => {},
    );
  }
  wasTooOld = old;
}
