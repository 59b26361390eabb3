import type * as Axe from 'axe-core';

declare const axe: typeof Axe;

/** What looks at a screen from inside the page. It is sent to the page as it stands here, so it uses nothing from outside of itself. */
export function inPage() {
  /** The elements with words of their own, by everything that the contrast of a word follows from; `colours` fills it. */
  const seen = new Map<string, Element>();
  const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  /** What lies behind an open dialog is a screen of its own, which is looked at without the dialog. */
  const shown = () => document.querySelector('dialog[open]') ?? document.body;

  /** What stays at the edge of the screen lies above something else wherever the page is scrolled to, and people scroll. */
  async function still(): Promise<void> {
    await drawn();
    // Colours that have just changed are on their way for a moment, even where nothing moves.
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
    for (const one of document.querySelectorAll<HTMLElement>('body *'))
      if (getComputedStyle(one).position === 'sticky') one.style.position = 'static';
  }

  const run = (context: Axe.ElementContext, values: readonly string[], options: Axe.RunOptions) =>
    // There are no frames, and none of these rules reads style sheets.
    axe.run(context, {
      ...{ ...options, runOnly: { type: 'rule', values: [...values] } },
      ...{ iframes: false, preload: false, selectors: false },
    });
  const tell = (found: readonly Axe.Result[]) =>
    found.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 200)}`));

  /** What axe finds on the page as it is now. */
  async function axeFindings(rules: readonly string[]): Promise<string[]> {
    await still();
    const context = shown() === document.body ? document : shown();
    return tell((await run(context, rules, { resultTypes: ['violations'] })).violations);
  }

  /**
   * One key for each way in which words look here: their own classes, states, colours and sizes, and those of everything that they
   * stand in. Words with the same key have the same contrast, in dark colours as well.
   */
  async function colours(): Promise<string[]> {
    await still();
    seen.clear();
    const visit = (one: Element, around: string) => {
      if (!one.checkVisibility({ visibilityProperty: true })) return;
      const style = getComputedStyle(one);
      const look = [
        ...[around, one.tagName, one.getAttribute('class'), one.matches(':disabled, [aria-disabled="true"]')],
        // What style sheets ask for besides classes; numbers only say which row it is.
        ...[...one.attributes]
          .filter(({ name, value }) => /^(data|aria)-/.test(name) && /^[a-z_-]*$/.test(value))
          .map(told),
        ...[style.color, style.backgroundColor, style.backgroundImage, style.opacity, style.filter, style.mixBlendMode],
        ...[style.fontSize, style.fontWeight, style.textShadow, style.textDecorationLine, style.position],
        // The name of a control that is disabled may be pale.
        one instanceof HTMLLabelElement && one.control?.matches(':disabled, [aria-disabled="true"]'),
      ];
      const key = short(look.join('|'));
      const speaks = [...one.childNodes].some(({ nodeType, nodeValue }) => nodeType === 3 && nodeValue!.trim() !== '');
      if (speaks || one.matches('input, select, textarea')) seen.set(key, one);
      for (const child of one.children) visit(child, key);
    };
    visit(shown(), '');
    return [...seen.keys()];
  }

  /** What axe finds about the colours of these, and the keys of those about which it can say nothing. */
  async function colourFindings(keys: readonly string[], rules: readonly string[]) {
    await still();
    // What was drawn anew meanwhile, such as a menu that is measured again, cannot be judged now, and is judged where it is seen next.
    const gone = keys.filter((key) => !seen.get(key)!.isConnected);
    const include = keys.map((key) => seen.get(key)!).filter((one) => one.isConnected);
    if (include.length === 0) return { found: [], wrong: [], unclear: gone };
    const { violations, incomplete } = await run({ include }, rules, {
      resultTypes: ['violations', 'incomplete'],
      elementRef: true,
    });
    const keysOf = (results: readonly Axe.Result[]) => {
      const elements = new Set(results.flatMap(({ nodes }) => nodes.map(({ element }) => element)));
      return keys.filter((key) => elements.has(seen.get(key) as HTMLElement));
    };
    return { found: tell(violations), wrong: keysOf(violations), unclear: [...gone, ...keysOf(incomplete)] };
  }

  function told({ name, value }: Attr): string {
    return `${name}=${value}`;
  }

  function short(text: string): string {
    let [a, b] = [0x811c9dc5, 0x9e3779b9];
    for (let i = 0; i < text.length; i++) {
      a = Math.imul(a ^ text.charCodeAt(i), 0x01000193);
      b = Math.imul(b ^ text.charCodeAt(i), 0x5bd1e995);
    }
    return `${(a >>> 0).toString(36)}${(b >>> 0).toString(36)}`;
  }

  /** A page or dialog that scrolls sideways, and texts that do not fit into what they stand in. */
  async function cutOff(): Promise<string[]> {
    await drawn();
    const found: string[] = [];
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth)
      found.push(`the page is ${root.scrollWidth - root.clientWidth} px too wide`);
    for (const one of document.querySelectorAll('dialog[open], .dialog-body'))
      if (one.scrollWidth > one.clientWidth) found.push(`a dialog is ${one.scrollWidth - one.clientWidth} px too wide`);
    const texts =
      'button, .button, [role="menuitem"], .badge, .tabs a, .shell-nav a, summary, label, legend, h1, h2, h3, th, .notice';
    for (const one of document.querySelectorAll<HTMLElement>(texts)) {
      const aside = one.scrollWidth > one.clientWidth + 1;
      const below = one.scrollHeight > one.clientHeight + 2 && one.matches('button, .button');
      if (!aside && !below) continue;
      // Names that people typed may be shortened where little room is; then they stand in full somewhere else.
      if (!one.checkVisibility() || one.closest('.hidden') !== null || one.querySelector('.clip') !== null) continue;
      const { display, clipPath } = getComputedStyle(one);
      if (display === 'inline') continue;
      // Only for screen readers: `.hidden` on some screens and widths.
      if (clipPath === 'inset(50%)') continue;
      const what = `${one.tagName.toLowerCase()} “${one.innerText.slice(0, 60)}”`;
      if (aside) found.push(`${what} is cut off at the side`);
      if (below) found.push(`${what} is cut off below`);
    }
    return found;
  }

  return { drawn, axeFindings, colours, colourFindings, cutOff };
}
