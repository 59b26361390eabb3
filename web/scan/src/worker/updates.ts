import { TAKE_OVER } from './scope.ts';

/**
 * Installing the app for use without a network, and changing to a newer version.
 *
 * A newer version is loaded beside the one that runs and then waits. `onReady` tells the screens; they call `applyUpdate` when no scan is
 * being answered, and the page loads again with the new version. What waits to be uploaded is on disk and not touched by it.
 */
const SCRIPT = '/scan/sw.js';
const SCOPE = '/scan';
const CHECK_EVERY = 3_600_000;

/** False where the browser has no service workers: an address without https, or a private window. Then the app needs the network to open. */
export const canOpenOffline: boolean = 'serviceWorker' in navigator;

let registering: Promise<ServiceWorkerRegistration | null> | undefined;
/** Another version than the one that this page was loaded from answers by now; loading the page again is all that is left to do. */
let replaced = false;
let reloading = false;

/** Null while it cannot be registered: no service workers here, or nothing that could be loaded. It is tried again. */
function register(): Promise<ServiceWorkerRegistration | null> {
  if (!canOpenOffline || !import.meta.env.PROD) return Promise.resolve(null);
  registering ??= navigator.serviceWorker.register(SCRIPT, { scope: SCOPE, updateViaCache: 'none' }).catch((): null => {
    registering = undefined;
    return null;
  });
  return registering;
}

/** Call this once when the app starts. `onReady` is called for each newer version that can be changed to. Returns how to stop. */
export function watchUpdates({ onReady }: { onReady: () => void }): () => void {
  if (!canOpenOffline) return () => {};
  const ending = new AbortController();
  const { signal } = ending;
  // The first version takes over a page that was loaded without one, which is no change of version.
  let controlled = navigator.serviceWorker.controller !== null;
  navigator.serviceWorker.addEventListener(
    'controllerchange',
    () => {
      if (reloading) return location.reload();
      if (controlled) {
        replaced = true;
        onReady();
      }
      controlled = true;
    },
    { signal },
  );
  let watched: ServiceWorkerRegistration | null = null;
  const check = async () => {
    const registration = await register();
    if (registration === null || signal.aborted) return;
    if (registration === watched) return void registration.update().catch(() => undefined);
    watched = registration;
    const whenInstalled = async (found: ServiceWorker | null) => {
      if (await isInstalled(found)) if (navigator.serviceWorker.controller !== null && !signal.aborted) onReady();
    };
    registration.addEventListener('updatefound', () => void whenInstalled(registration.installing), { signal });
    void whenInstalled(registration.waiting ?? registration.installing);
  };
  void check();
  addEventListener('online', () => void check(), { signal });
  const timer = setInterval(() => void check(), CHECK_EVERY);
  signal.addEventListener('abort', () => clearInterval(timer));
  return () => ending.abort();
}

/** Changes to the version that waits, and loads the page again. False: there is none. */
export async function applyUpdate(): Promise<boolean> {
  if (replaced) {
    location.reload();
    return true;
  }
  const waiting = (await register())?.waiting ?? null;
  if (waiting === null) return false;
  reloading = true;
  waiting.postMessage(TAKE_OVER);
  return true;
}

/**
 * Asks the server for a newer version and changes to it at once: for a server that refuses this one as too old. False: there is no newer
 * one, or it could not be loaded.
 */
export async function updateNow(): Promise<boolean> {
  const registration = await register();
  if (registration === null) return false;
  try {
    await registration.update();
  } catch {
    return false;
  }
  if (registration.installing !== null && !(await isInstalled(registration.installing))) return false;
  return applyUpdate();
}

/** Waits until a version is loaded whole. False: it was given up. */
function isInstalled(worker: ServiceWorker | null): Promise<boolean> {
  if (worker === null) return Promise.resolve(false);
  const settled = () => (worker.state === 'installing' ? null : worker.state === 'installed');
  return new Promise((resolve) => {
    const look = () => {
      const is = settled();
      if (is === null) return;
      worker.removeEventListener('statechange', look);
      resolve(is);
    };
    worker.addEventListener('statechange', look);
    look();
  });
}
