/** How long the event loop, so everybody else, stood still at most while something was done, in milliseconds. */
export async function longestStall(work: () => Promise<unknown>): Promise<number> {
  let last = performance.now();
  let longest = 0;
  const tick = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, 5);
  await work();
  await new Promise((resolve) => setTimeout(resolve, 10)); // a stall is seen when it is over
  clearInterval(tick);
  return longest;
}
