/**
 * Hands out pages and reads the next one while the current one is written. It rests when both are over: reading during a rest would be no
 * rest for the database.
 */
export async function* readAhead<Page>(
  pages: AsyncGenerator<Page>,
  rest: () => Promise<void>,
): AsyncGenerator<Page, void> {
  try {
    let next = pages.next();
    for (;;) {
      const page = await next;
      if (page.done === true) return;
      await rest();
      next = pages.next();
      next.catch(() => {}); // thrown where it is awaited, unless the reader has stopped
      yield page.value;
    }
  } finally {
    await pages.return(undefined);
  }
}
