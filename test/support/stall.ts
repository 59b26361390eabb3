/** The longest time in milliseconds for which the event loop, and so everybody else, stood still during the work. */
export async function longestStall(work: () => Promise<unknown>): Promise<number> {
  let last = performance.now();
  let longest = 0;
  const tick = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, 5);
  await work();
  await new Promise((resolve) => setTimeout(resolve, 10)); // a stall is only measured when it is over
  clearInterval(tick);
  return longest;
}
