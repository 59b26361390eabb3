/** A single page, for functions that take pages as they are read. */
export async function* onePage<T>(page: T): AsyncGenerator<T> {
  yield page;
}
