/** How long things take at most, and how often they are done. Milliseconds. */

/** So long the person at the door waits for the server; then the device decides. */
export const ANSWER_MS = 400;
/** So long for a ticket that the device cannot judge. A ticket told as "cannot be judged" would be a duplicate when it is tried again. */
export const ONLY_SERVER_MS = 3_000;
/** So long whoever hands something out waits for the server; then it counts as handed out offline. */
export const HAND_OUT_MS = 2_000;
/** After that an answer to a single scan is given up. It only matters for knowing whether the server answers. */
export const SCAN_TIMEOUT = 10_000;
export const CALL_TIMEOUT = 10_000;
/** The server works on a batch even if nobody waits for the answer; the scanner sends the batch again under the same key. */
export const BATCH_TIMEOUT = 15_000;

/** After this many calls in a row without an answer, the device no longer waits for the server. */
export const FAILURES_TO_OFFLINE = 2;

export const MANIFEST_EVERY = 60_000;
/** The interval at which the scanner fetches the whole manifest even if it has not changed, because it carries the server's time. */
export const CLOCK_EVERY = 10 * 60_000;
export const CHANGES_EVERY = 5_000;
export const HEARTBEAT_EVERY = 60_000;
/** The server refuses a second batch within a second after its last answer. */
export const BATCH_PAUSE = 1_050;
/** How often a device that was refused asks again. */
export const REFUSED_EVERY = 5 * 60_000;
export const TOO_OLD_EVERY = 60_000;

/** The pause before each try while the server does not answer: 1, 2, 4, 8, 15 s, and a quarter more or less, so that devices spread. */
export const backOff = (tries: number, random: number): number =>
  Math.min(1000 * 2 ** Math.min(tries, 10), 15_000) * (0.75 + random * 0.5);
