import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const folder = fileURLToPath(new URL('../server/vendor/scalar/', import.meta.url));
const { files, version, integrity } = JSON.parse(readFileSync(join(folder, 'vendored.json'), 'utf8')) as {
  version: string;
  integrity: string;
  files: Record<string, string>;
};
const hashOf = (bytes: Buffer): string => `sha256-${createHash('sha256').update(bytes).digest('base64')}`;
const read = (name: string): Buffer => readFileSync(join(folder, name));

describe('the files of the reference page', () => {
  test('are those of the package, byte for byte', () => {
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(integrity).toMatch(/^sha512-[\w+/]{86}==$/);
    expect(Object.keys(files).length).toBeGreaterThan(50);
    expect(Object.entries(files).filter(([name, hash]) => hashOf(read(name)) !== hash)).toEqual([]);
  });

  test('a byte that differs is noticed', () => {
    const changed = read('standalone.esm.js');
    changed[1000]! ^= 1;
    expect(hashOf(changed)).not.toBe(files['standalone.esm.js']);
  });

  test('are all of them, and nothing else is there but the list, the licenses and what they are', () => {
    const there = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll('\\', '/'));
    expect(there.toSorted()).toEqual(
      [...Object.keys(files), 'LICENSE', 'README.md', 'licenses.txt', 'vendored.json'].toSorted(),
    );
  });

  test('load no file that is not among them', () => {
    const loaded = Object.keys(files).flatMap((name) =>
      [
        ...read(name)
          .toString('utf8')
          .matchAll(/["'`](\.{1,2}\/(?:chunks\/)?[\w.-]+\.js)["'`]/g),
      ].map(([, path]) => new URL(path!, `file:///${name}`).pathname.slice(1)),
    );
    expect(loaded.length).toBeGreaterThan(100);
    expect(loaded.filter((name) => !Object.hasOwn(files, name))).toEqual([]);
  });

  test('come with the licenses of Scalar and of what is built into them', () => {
    expect(read('LICENSE').toString()).toMatch(/^MIT License\n\nCopyright \(c\) \d{4}-present Scalar\n/);
    const licenses = read('licenses.txt').toString();
    expect(licenses).toContain(`@scalar/api-reference ${version},`);
    for (const name of ['@codemirror/view', '@vue/runtime-core', 'micromark', 'zod']) {
      expect(licenses).toMatch(new RegExp(`^(.+, )?${name} [\\d.]+(, .+)?$`, 'm'));
    }
  });
});
