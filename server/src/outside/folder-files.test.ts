import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { storeBehaves } from './files.support.ts';
import { folderFiles } from './folder-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'turnout-files-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
// What an operator's programs leave in it is nobody's file.
writeFileSync(join(folder, 'notes.txt'), 'notes');

storeBehaves(
  'in a folder',
  () => folderFiles(folder),
  () => folderFiles(join(folder, 'not made yet')),
);
