import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** How many of the most expensive files are named at the end of a run. */
const NAMED = 10;

const rounded = (seconds) => `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;

/** What a run of tests says about its time: each step, and the files that took the most processor time, or every file. */
export function timesOf(steps, files, { everyFile = false } = {}) {
  const lines = steps.map(({ name, seconds }) => `${name}: ${(seconds / 60).toFixed(1)} min`);
  if (files.size <= NAMED) return lines.join('\n');
  const sorted = [...files].sort(([, a], [, b]) => b.processor - a.processor || b.seconds - a.seconds);
  lines.push(`${everyFile ? 'files' : `the ${NAMED} files`} with the most processor time (and how long they took):`);
  for (const [file, { processor, seconds }] of everyFile ? sorted : sorted.slice(0, NAMED)) {
    lines.push(`  ${rounded(processor).padStart(8)} (${rounded(seconds)})  ${file}`);
  }
  return lines.join('\n');
}

/** A file has crept up if it takes this much more of the processor than before, compared with all others, and at least so many seconds more. */
const MORE = 1.5;
const MORE_SECONDS = 5;

/**
 * Compares the processor time of each file with that of the last run, which it finds in `path`, and keeps the new times there. Another
 * machine may be faster, so a file is compared with how much faster all files became.
 */
export function crept(path, files) {
  const now = Object.fromEntries([...files].map(([file, { processor }]) => [file, Math.round(processor * 10) / 10]));
  const before = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  writeFileSync(path, `${JSON.stringify(Object.fromEntries(Object.entries(now).sort()), null, 2)}\n`);
  const both = Object.keys(now).filter((file) => before[file] > 0 && now[file] > 0);
  if (both.length === 0) return 'no earlier times of files to compare with';
  const ratios = both.map((file) => now[file] / before[file]).sort((a, b) => a - b);
  const usual = ratios[Math.floor(ratios.length / 2)];
  const more = both.filter(
    (file) => now[file] > MORE * usual * before[file] && now[file] - usual * before[file] > MORE_SECONDS,
  );
  if (more.length === 0) return 'no file takes noticeably more processor time than in the last run';
  return [
    'files that take more processor time than in the last run:',
    ...more.map((file) => `  ${rounded(before[file])} → ${rounded(now[file])}  ${file}`),
  ].join('\n');
}
