import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { ROOT } from '../running.ts';

/** What a device of an earlier version of the app has on its disk, with the names that differ on every server. */
export interface StoredDevice {
  version: number;
  names: { origin: string; device: string; token: string; event: string; codes: string[]; people: string[] };
  localStorage: Record<string, string>;
  stores: Record<string, { key: string | string[]; rows: Record<string, unknown>[] }>;
}

const FOLDER = join(ROOT, 'test/fixtures/formats');

/** The versions of the database that a device was kept of. */
export const STORED_VERSIONS = readdirSync(FOLDER)
  .flatMap((name) => /^scanner-(\d+)\.json$/.exec(name)?.[1] ?? [])
  .map(Number)
  .sort((a, b) => a - b);

/**
 * The device, with the names of a server of today in place of those that it was kept with. Its scans were made a minute before `now`,
 * and are its own: a server that has seen a scan of this `client_uuid` with another ticket refuses it.
 */
export function storedDevice(version: number, names: StoredDevice['names'], now: number): StoredDevice {
  let text = readFileSync(join(FOLDER, `scanner-${version}.json`), 'utf8');
  const before = (JSON.parse(text) as StoredDevice).names;
  const pairs = Object.keys(before).flatMap((key) => {
    const name = key as keyof typeof before;
    return [before[name]].flat().map((old, i) => [old, [names[name]].flat()[i]!] as const);
  });
  const scans = new Set(Array.from(text.matchAll(/"client_uuid": "([^"]+)"/g), ([, uuid]) => uuid!));
  for (const uuid of scans) pairs.push([uuid, randomUUID()]);
  for (const [old, today] of pairs) text = text.replaceAll(old, today);
  const stored = JSON.parse(text) as StoredDevice;
  const { rows } = stored.stores.queue!;
  const newest = Math.max(...rows.map((row) => row.scanned_at as number));
  for (const row of rows) row.scanned_at = (row.scanned_at as number) - newest + now - 60_000;
  return stored;
}

/** Writes it into the browser, from a page of the same origin in which the app does not run. */
export const writeStored = (page: Page, stored: StoredDevice): Promise<void> =>
  page.evaluate(async ({ version, stores, localStorage: texts }) => {
    for (const [key, text] of Object.entries(texts)) localStorage.setItem(key, text);
    const storedRow = (row: Record<string, unknown>) => {
      const { base64 } = (row.buffer ?? {}) as { base64?: string };
      if (base64 === undefined) return row;
      return { ...row, buffer: Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)).buffer };
    };
    await new Promise<void>((resolve, reject) => {
      const opening = indexedDB.open('turnout-scan', version);
      opening.onupgradeneeded = () => {
        for (const [name, { key, rows }] of Object.entries(stores)) {
          const store = opening.result.createObjectStore(name, { keyPath: key });
          for (const row of rows) store.put(storedRow(row));
        }
      };
      opening.onsuccess = () => {
        opening.result.close();
        resolve();
      };
      opening.onerror = () => reject(opening.error);
    });
  }, stored);
