const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/** Markup, as opposed to text. Nothing else reaches a mail without being escaped. */
export class Html {
  readonly #markup: string;
  constructor(markup: string) {
    this.#markup = markup;
  }
  toString(): string {
    return this.#markup;
  }
}

/** A template that escapes every value, unless the value is markup already. */
export const html = (parts: TemplateStringsArray, ...values: (string | number | Html)[]): Html =>
  new Html(
    parts.reduce((markup, part, index) => {
      const value = values[index - 1] ?? '';
      return markup + (value instanceof Html ? value.toString() : escapeHtml(String(value))) + part;
    }),
  );

export const join = (parts: Html[], between = ''): Html => new Html(parts.map(String).join(between));
