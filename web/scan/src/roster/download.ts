import type { Manifest } from '@turnout/client';
import { type CallRefusal, refusalOf } from '../engine/calls.ts';
import { keptEntry } from './entry.ts';
import { keyOfHash } from './ids.ts';
import type { Packed } from './packed.ts';
import { Packer } from './packer.ts';
import { readRoster } from './stream.ts';

export type Download =
  | { readonly kind: 'packed'; readonly packed: Packed; readonly as_of: string }
  | { readonly kind: 'refused'; readonly refusal: CallRefusal }
  | { readonly kind: 'none'; readonly why: string };

/** So often the screen is told how far the download is. */
const TELL_EVERY = 2_000;
/** If nothing arrives for so long, the download is given up and begun again later. */
const SILENCE = 20_000;

/** Downloads a whole roster and packs it while it arrives. */
export async function download(manifest: Manifest, progress: (tickets: number) => void): Promise<Download> {
  const stop = new AbortController();
  try {
    const waiting = setTimeout(() => stop.abort(), SILENCE);
    // The link may name the server by another address than the one that this page came from; the path is the same.
    const { pathname, search } = new URL(manifest.roster.url, self.location.origin);
    const response = await fetch(pathname + search, {
      redirect: 'error',
      credentials: 'omit',
      cache: 'no-store',
      signal: stop.signal,
    });
    clearTimeout(waiting);
    if (!response.ok || response.body === null) {
      const refusal = response.status >= 500 ? null : refusalOf(response, await response.json().catch(() => null));
      return refusal === null ? { kind: 'none', why: `status ${response.status}` } : { kind: 'refused', refusal };
    }
    const packer = new Packer(manifest.event.timezone);
    const { as_of } = await readRoster(textOf(response.body, stop), (entry) => {
      packer.add(keyOfHash(entry.code_sha256), keptEntry(entry));
      if (packer.tickets % TELL_EVERY === 0) progress(packer.tickets);
    });
    return { kind: 'packed', packed: packer.finish(), as_of };
  } catch (error) {
    return { kind: 'none', why: String((error as Error)?.message ?? error) };
  }
}

async function* textOf(body: ReadableStream<Uint8Array>, stop: AbortController): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (;;) {
    const silent = setTimeout(() => stop.abort(), SILENCE);
    const { done, value } = await reader.read();
    clearTimeout(silent);
    if (done) break;
    yield decoder.decode(value, { stream: true });
  }
  yield decoder.decode();
}
