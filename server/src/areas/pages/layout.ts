import { createHash } from 'node:crypto';
import { accentOf } from '@turnout/contract';
import { LANGUAGE_NAMES, LANGUAGES } from '@turnout/words';
import type { FastifyReply } from 'fastify';
import { PageLinks } from '../../common/page-links.ts';
import { cleanUrl } from '../../outside/clean.ts';
import { Html, html, join } from '../../outside/mail-templates/markup.ts';
import { hrefOf, type Page, pagesOf, type Site } from './site.ts';

/** The built script and style of the pages (web/register). */
export interface PageAssets {
  style: string;
  /** Names of files below `assets`; null if nothing was built. The pages work without them. */
  script: string | null;
  embed: string | null;
}

export interface LayoutParts {
  publicUrl: string;
  assets: () => Promise<PageAssets>;
}

interface Alone {
  language: string;
  title: string;
  text: string;
}

interface Style {
  content: string;
  /** Allows this style and no other. */
  source: string;
}

/** Draws pages: the head, the organization's name and colour, and the foot. */
export class Layout {
  readonly #parts: LayoutParts;
  readonly #links: PageLinks;
  readonly #styles = new Map<string, Style>();
  constructor(parts: LayoutParts) {
    this.#parts = parts;
    this.#links = new PageLinks(parts.publicUrl);
  }

  get links(): PageLinks {
    return this.#links;
  }

  async draw(site: Site, page: Page): Promise<{ body: string; headers: Record<string, string> }> {
    const assets = await this.#parts.assets();
    const style = this.#styleOf(assets, site.organization.accent);
    const { t, language, base, embedded } = site;
    const script =
      assets.script === null ? html`` : html`<script type="module" src="${base}/assets/${assets.script}"></script>`;
    const body = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title}</title>
${page.noindex === true ? html`<meta name="robots" content="noindex">` : ''}${page.head ?? ''}
<link rel="icon" href="data:,">
<style>${new Html(style.content)}</style>
${script}
</head>
<body${embedded ? html` class="embedded"` : ''}>
${embedded ? '' : html`<a class="skip" href="#main">${t('skip')}</a>${this.#head(site)}`}
<main id="main">${page.content}</main>
${embedded ? '' : foot(site, page)}
</body>
</html>
`.toString();
    return { body, headers: this.#headers(site, style, page.noindex === true) };
  }

  async send(reply: FastifyReply, site: Site, page: Page, status = 200): Promise<FastifyReply> {
    const { body, headers } = await this.draw(site, page);
    return reply.code(status).headers(headers).header('Cache-Control', 'no-store').send(body);
  }

  /** A page of no organization, for an address that names none. It has the look of all others, but nobody's name and colour. */
  async sendAlone(reply: FastifyReply, page: Alone, status: number): Promise<FastifyReply> {
    const style = this.#styleOf(await this.#parts.assets(), null);
    const body = html`<!doctype html>
<html lang="${page.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title}</title>
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<style>${new Html(style.content)}</style>
</head>
<body>
<main id="main" class="alone"><h1>${page.title}</h1><p>${page.text}</p></main>
</body>
</html>
`.toString();
    return reply
      .code(status)
      .headers({
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': `default-src 'none'; style-src ${style.source}; img-src data:; base-uri 'none'; frame-ancestors 'none'`,
        'X-Content-Type-Options': 'nosniff',
        'Referrer-Policy': 'no-referrer',
        'X-Robots-Tag': 'noindex',
        Vary: 'Accept-Language',
        'Cache-Control': 'no-store',
      })
      .send(body);
  }

  #head(site: Site): Html {
    const { organization } = site;
    const { name } = organization.org;
    const shown =
      organization.logo_id === null
        ? html`${name}`
        : html`<img src="${this.#local(site, organization.logo_id)}" alt="${name}">`;
    return html`<header class="site"><a href="${hrefOf(site, '/')}">${shown}</a></header>`;
  }

  /** Pictures come from the host of the page, whichever it is, because the policy allows no other. */
  #local(site: Site, logo: string): string {
    const address = this.#links.picture(pagesOf(site.organization), logo, 'logo');
    return `${site.base}${address.slice(this.#links.pages(pagesOf(site.organization)).length)}`;
  }

  /** One of these for each colour. An organization has one, so few are in use at a time. */
  #styleOf({ style }: PageAssets, accent: string | null): Style {
    const known = this.#styles.get(accent ?? '');
    if (known !== undefined) return known;
    const colours = accent === null ? null : accentOf(accent);
    const own = colours === null ? '' : `:root{--accent-light:${colours.light};--accent-dark:${colours.dark}}`;
    const content = style + own;
    const made = { content, source: `'sha256-${createHash('sha256').update(content).digest('base64')}'` };
    if (style === '') return made; // not built yet
    if (this.#styles.size >= 1000) this.#styles.clear();
    this.#styles.set(accent ?? '', made);
    return made;
  }

  #headers({ organization, embedded }: Site, style: Style, noindex: boolean): Record<string, string> {
    const framed = embedded && organization.embed_origins.length > 0;
    return {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': [
        "default-src 'none'",
        "script-src 'self'",
        `style-src ${style.source}`,
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        `frame-ancestors ${framed ? organization.embed_origins.join(' ') : "'none'"}`,
      ].join('; '),
      // Other sites learn nothing of the address. Our own forms must be known to come from here (own-form.ts).
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
      Vary: 'Accept-Language, Accept-Encoding',
      ...(noindex && { 'X-Robots-Tag': 'noindex' }),
      ...(this.#parts.publicUrl.startsWith('https:') && { 'Strict-Transport-Security': 'max-age=31536000' }),
    };
  }
}

function foot(site: Site, { apart, query }: Pick<Page, 'apart' | 'query'>): Html {
  const { t, organization, path } = site;
  const outer = (address: string | null, label: string): Html => {
    const to = cleanUrl(address ?? undefined);
    return to === null ? html`` : html`<a href="${to}">${label}</a>`;
  };
  const languages = LANGUAGES.filter((one) => one !== site.language).map(
    (one) =>
      html`<a href="${hrefOf({ ...site, chosen: false }, path, { ...query, lang: one })}" lang="${one}" hreflang="${one}">${LANGUAGE_NAMES[one]}</a>`,
  );
  return html`<footer class="site">${outer(organization.imprint_url, t('imprint'))}${outer(organization.privacy_url, t('privacy'))}<a href="${hrefOf(site, '/my')}">${t('findMine')}</a>${apart === true ? '' : html`<nav class="languages" aria-label="${t('languages')}">${join(languages)}</nav>`}</footer>`;
}
