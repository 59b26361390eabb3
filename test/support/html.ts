/**
 * Reads HTML as a browser would take it apart: tags with their attributes, and text. It knows nothing of nesting, which these tests do
 * not need, but it cannot be fooled by quotes, by text that looks like a tag in an attribute, or by a tag inside a script.
 */
export type Token =
  | { is: 'start'; tag: string; attributes: Readonly<Record<string, string>> }
  | { is: 'end'; tag: string }
  | { is: 'text'; text: string };

/** What is in these is text up to their own end tag. */
const RAW = new Set(['script', 'style', 'textarea', 'title']);
const WITH_ENTITIES = new Set(['textarea', 'title']);
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

export const unescapeHtml = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name]!);

export function tokensOf(html: string): Token[] {
  const tokens: Token[] = [];
  const text = (raw: string) => {
    if (raw !== '') tokens.push({ is: 'text', text: raw });
  };
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    text(unescapeHtml(html.slice(at, open < 0 ? html.length : open)));
    if (open < 0) break;
    const name = /^<(\/?)([a-zA-Z][^\s/>]*)/.exec(html.slice(open, open + 100));
    if (name === null) {
      const end = html.indexOf('>', open);
      at = end < 0 ? html.length : end + 1; // a comment or the doctype
      continue;
    }
    const tag = name[2]!.toLowerCase();
    const { attributes, end } = attributesFrom(html, open + name[0].length);
    at = end;
    tokens.push(name[1] === '/' ? { is: 'end', tag } : { is: 'start', tag, attributes });
    if (name[1] === '' && RAW.has(tag)) {
      const close = new RegExp(`</${tag}[\\s/>]`, 'gi');
      close.lastIndex = at;
      const until = close.exec(html)?.index ?? html.length;
      const inside = html.slice(at, until);
      text(WITH_ENTITIES.has(tag) ? unescapeHtml(inside) : inside);
      at = until;
    }
  }
  return tokens;
}

function attributesFrom(html: string, from: number): { attributes: Record<string, string>; end: number } {
  const attributes: Record<string, string> = Object.create(null);
  const part = /\s*\/?\s*(?:(>)|([^\s=>/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?)/gy;
  part.lastIndex = from;
  for (let match = part.exec(html); match !== null; match = part.exec(html)) {
    if (match[1] !== undefined) return { attributes, end: part.lastIndex };
    const name = match[2]!.toLowerCase();
    if (!(name in attributes)) attributes[name] = unescapeHtml(match[3] ?? match[4] ?? match[5] ?? '');
  }
  return { attributes, end: html.length };
}

/** The text of a page as people read it. */
export function textOf(html: string): string {
  let hidden = 0;
  const shown: string[] = [];
  for (const token of tokensOf(html)) {
    if (token.is === 'text') {
      if (hidden === 0) shown.push(token.text);
    } else if (['script', 'style', 'title'].includes(token.tag)) hidden += token.is === 'start' ? 1 : -1;
    else shown.push(' ');
  }
  return shown.join('').replaceAll(/\s+/g, ' ').trim();
}

/** A form of a page, filled in and sent as a browser without JavaScript does it. */
export class Form {
  readonly action: string;
  readonly method: string;
  /** What is sent, in the order of the page: all but boxes that are not ticked. */
  #fields: [name: string, value: string][] = [];
  /** Names of everything that can be filled in or chosen, and what it offers if it offers something. */
  readonly #offers = new Map<string, string[] | null>();
  readonly buttons: [name: string, value: string][] = [];

  constructor(html: string, selector: string) {
    const tokens = tokensOf(html);
    const start = tokens.findIndex(
      (one) => one.is === 'start' && one.tag === 'form' && one.attributes.class === selector,
    );
    const first = tokens[start];
    if (first?.is !== 'start') throw new Error(`The page has no form of class ${selector}: ${textOf(html)}`);
    this.action = first.attributes.action ?? '';
    this.method = first.attributes.method ?? 'get';
    /** How many groups of fields are open since one that is switched off. What is in it is not sent. */
    let off = 0;
    let list: { name: string; options: [value: string, selected: boolean][] } | null = null;
    for (let i = start + 1; i < tokens.length; i += 1) {
      const token = tokens[i]!;
      if (token.is === 'end' && token.tag === 'form') break;
      if (token.is === 'start' && token.tag === 'fieldset' && (off > 0 || 'disabled' in token.attributes)) off += 1;
      if (token.is === 'end' && token.tag === 'fieldset' && off > 0) off -= 1;
      if (off > 0) continue;
      if (token.is === 'end' && token.tag === 'select' && list !== null) {
        const chosen = list.options.find(([, selected]) => selected) ?? list.options[0];
        if (chosen !== undefined) this.#fields.push([list.name, chosen[0]]);
        this.#offers.set(
          list.name,
          list.options.map(([value]) => value),
        );
        list = null;
      }
      if (token.is !== 'start') continue;
      const { name = '', value, type = 'text' } = token.attributes;
      if (token.tag === 'button') this.buttons.push([name, value ?? '']);
      if (token.tag === 'select') list = { name, options: [] };
      if ('disabled' in token.attributes && token.tag !== 'button') continue;
      if (token.tag === 'option') list?.options.push([value ?? '', 'selected' in token.attributes]);
      if (token.tag === 'textarea') {
        const inside = tokens[i + 1];
        // A browser drops one line break at the beginning.
        this.#fields.push([name, inside?.is === 'text' ? inside.text.replace(/^\n/, '') : '']);
        this.#offers.set(name, null);
      }
      if (token.tag === 'input') this.#input(name, type, value, 'checked' in token.attributes);
    }
  }

  #input(name: string, type: string, value: string | undefined, checked: boolean): void {
    if (name === '') return;
    if (type !== 'checkbox' && type !== 'radio') {
      this.#fields.push([name, value ?? '']);
      this.#offers.set(name, null);
      return;
    }
    this.#offers.set(name, [...(this.#offers.get(name) ?? []), value ?? 'on']);
    if (checked) this.#fields.push([name, value ?? 'on']);
  }

  get names(): string[] {
    return [...this.#offers.keys()];
  }

  /** What a list, boxes or buttons of that name offer; undefined if there is no such field. */
  offered(name: string): string[] | null | undefined {
    return this.#offers.get(name);
  }

  get(name: string): string | null {
    return this.#fields.find(([one]) => one === name)?.[1] ?? null;
  }

  all(name: string): string[] {
    return this.#fields.filter(([one]) => one === name).map(([, value]) => value);
  }

  /** Fills in or chooses. Something that the page does not offer is a mistake of the test. */
  fill(values: Readonly<Record<string, string | readonly string[]>>): this {
    for (const [name, value] of Object.entries(values)) {
      const offered = this.#offers.get(name);
      if (offered === undefined) throw new Error(`The form has no field ${name}; it has ${this.names.join(', ')}`);
      const wanted = typeof value === 'string' ? [value] : value;
      const missing = offered === null ? undefined : wanted.find((one) => !offered.includes(one));
      if (missing !== undefined) throw new Error(`${name} offers ${offered!.join(', ')} and not ${missing}`);
      this.put(name, wanted);
    }
    return this;
  }

  /** Sends something else than the page offers, as a program does. */
  put(name: string, values: readonly string[]): this {
    this.#fields = [
      ...this.#fields.filter(([one]) => one !== name),
      ...values.map((one): [string, string] => [name, one]),
    ];
    return this;
  }

  /** What a browser sends when that button is pressed. Line breaks are always sent as CR and LF. */
  sent(pressed?: string): URLSearchParams {
    const sent = new URLSearchParams(
      this.#fields.map(([name, value]) => [name, value.replaceAll(/\r\n|\r|\n/g, '\r\n')] as [string, string]),
    );
    if (pressed === undefined) return sent;
    if (!this.buttons.some(([name, value]) => name === 'do' && value === pressed))
      throw new Error(`The form has no button ${pressed}; it has ${this.buttons.map(String).join(' ')}`);
    sent.append('do', pressed);
    return sent;
  }
}
