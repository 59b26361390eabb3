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
