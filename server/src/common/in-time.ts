export const tooLate = (ms: number): Error => new Error(`no answer within ${ms} ms`);

/** The answer, if it comes within so many milliseconds. Whoever waits no longer does not stop the work itself. */
export function inTime<T>(ms: number, asked: Promise<T>, late: (ms: number) => Error = tooLate): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late(ms)), ms);
    asked.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
