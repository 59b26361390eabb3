import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const has = (program: string): boolean => spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;

/** Reads both files with readers that are not ours and compares them cell by cell. Throws where they differ. */
export async function compareFiles(csv: string, xlsx: string): Promise<string> {
  if (!has('python3')) return 'NOT CHECKED: python3, which reads the Excel file, is not installed';
  const check = fileURLToPath(new URL('export-check.py', import.meta.url));
  const { stdout } = await run('python3', [check, csv, xlsx]);
  return `${Number(stdout).toLocaleString('en-US')} rows including the headings: every cell is as in the CSV file`;
}

/** Opens the workbook with LibreOffice and counts its rows. */
export async function openWithLibreOffice(xlsx: string, rows: number): Promise<string> {
  if (!has('soffice')) return 'NOT CHECKED: LibreOffice (soffice) is not installed';
  const folder = dirname(xlsx);
  const profile = `-env:UserInstallation=file://${folder}/libreoffice`;
  // LibreOffice's codes: 44 is a comma, 34 a quotation mark, 76 is UTF-8.
  const how = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false';
  await run('soffice', [profile, '--headless', '--convert-to', how, '--outdir', folder, xlsx]);
  const lines = readFileSync(join(folder, basename(xlsx, '.xlsx').concat('.csv')), 'utf8')
    .trimEnd()
    .split('\n').length;
  if (lines < rows + 1) throw new Error(`LibreOffice found ${lines} of ${rows + 1} rows.`);
  return `LibreOffice opened it and found ${lines.toLocaleString('en-US')} rows`;
}

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(bytes < 1e8 ? 1 : 0)} MB`;
export const sizeOf = (path: string): number => statSync(path).size;

/** The resident memory of a process in bytes, from /proc. */
export function residentOf(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  if (kilobytes === undefined) throw new Error('This system has no /proc that says how much memory a process uses.');
  return Number(kilobytes) * 1024;
}
