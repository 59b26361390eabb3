/**
 * Moves `Date` of this process by DATE_OFFSET_MS milliseconds; it goes on running from there. `performance.now()`, timers,
 * PostgreSQL and the times of files keep the machine's clock. Loaded by test-time.ts in a process that runs tests, and with
 * `--import` in every Node process such a test starts, so that all of them agree on the time.
 */
let offset = Number(process.env.DATE_OFFSET_MS ?? 0);
const MachineDate = globalThis.Date;
const now = () => MachineDate.now() + offset;

export const machineNow = () => MachineDate.now();
/** For a process that runs one test file after the other, each of which begins at the same time. */
export function moveTo(time) {
  offset = time - MachineDate.now();
  process.env.DATE_OFFSET_MS = String(offset);
  if (globalThis.Date === MachineDate) install();
}

function install() {
  const MovedDate = new Proxy(MachineDate, {
    construct: (target, given, newTarget) =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget === MovedDate ? target : newTarget),
    apply: () => new MachineDate(now()).toString(),
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  });
  MachineDate.prototype.constructor = MovedDate;
  globalThis.Date = MovedDate;
}

if (offset !== 0) install();
