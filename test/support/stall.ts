/** CPU time of this thread in milliseconds. */
const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/**
 * The longest piece of work, in milliseconds, for which the event loop, and so everybody else, had to wait. CPU time is measured
 * instead of the time that passed, because a machine that is busy with other work must not count.
 */
export async function longestStall(work: () => Promise<unknown>): Promise<number> {
  let last = cpuMs();
  let longest = 0;
  const tick = setInterval(() => {
    const now = cpuMs();
    longest = Math.max(longest, now - last);
    last = now;
  }, 5);
  await work();
  await new Promise((resolve) => setTimeout(resolve, 10)); // a stall is only measured when it is over
  clearInterval(tick);
  return longest;
}
