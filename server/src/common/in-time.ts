/** The answer, if it comes within so many milliseconds. Whoever waits no longer does not stop the work itself. */
export function inTime<T>(ms: number, asked: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
    asked.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
