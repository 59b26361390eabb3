/**
 * Thrown by the work of calls that share a transaction, when it finds before it writes that they are too much for one. The
 * transaction is rolled back and the calls run again in two halves. A single call never throws it.
 */
export class TooMuchTogether extends Error {
  constructor() {
    super('the calls are too much for one transaction');
  }
}
