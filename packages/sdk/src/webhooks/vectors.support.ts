import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { SignatureFault } from './verify.ts';

/** One entry of `webhook-vectors.json`. */
export interface Vector {
  name: string;
  secret: string;
  t: number;
  now: number;
  body_text: string;
  body_base64: string;
  header: string | null;
  valid: boolean;
  error?: SignatureFault;
  standard?: { id: string; headers: Record<string, string> };
}

const root = new URL('../../', import.meta.url);
const script = fileURLToPath(new URL('scripts/vectors.mjs', root));

export const publishedVectors = (): Vector[] =>
  JSON.parse(readFileSync(new URL('webhook-vectors.json', root), 'utf8')).vectors;

/** The same vectors, signed for another moment. */
export const vectorsAt = (now: number): Vector[] =>
  JSON.parse(execFileSync(process.execPath, [script, '--at', String(now)], { encoding: 'utf8' })).vectors;

/** Throws, with the message of the script, unless the published file is what the script writes. */
export const checkPublished = (): void => {
  execFileSync(process.execPath, [script, '--check'], { stdio: 'pipe' });
};

export const bodyOf = (vector: Vector): Buffer => Buffer.from(vector.body_base64, 'base64');
