/**
 * While a payment is being confirmed, asks the server again: every few seconds, then less often. As soon as the page says something else,
 * its main part is put into place. A page that nobody looks at asks nothing until somebody does.
 */
export function lookForPayment(enhance: () => void): void {
  const waits = waitsOf(document);
  if (waits !== null) wait(waits, 0, enhance);
}

const waitsOf = (page: Document): number[] | null => {
  const waits = page.querySelector<HTMLElement>('[data-look-again]')?.dataset.lookAgain;
  return waits === undefined ? null : waits.split(' ').map(Number);
};

function wait(waits: readonly number[], look: number, enhance: () => void): void {
  const seconds = waits[Math.min(look, waits.length - 1)]!;
  setTimeout(() => {
    if (document.hidden) {
      document.addEventListener('visibilitychange', () => void ask(waits, look, enhance), { once: true });
    } else void ask(waits, look, enhance);
  }, seconds * 1000);
}

async function ask(waits: readonly number[], look: number, enhance: () => void): Promise<void> {
  try {
    const answer = await fetch(location.href, { headers: { Accept: 'text/html' } });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const fresh = page.querySelector('main');
    if (answer.ok && fresh !== null && waitsOf(page) === null) {
      document.querySelector('main')?.replaceWith(document.adoptNode(fresh));
      const title = fresh.querySelector('h1');
      title?.setAttribute('tabindex', '-1');
      title?.focus({ preventScroll: true });
      enhance();
      return;
    }
  } catch {
    // The network is gone for a moment. The next look may find it again.
  }
  wait(waits, look + 1, enhance);
}
