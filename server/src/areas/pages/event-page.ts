import type { PageLinks } from '../../common/page-links.ts';
import { cleanLine, shortened } from '../../outside/clean.ts';
import { Html, html, join } from '../../outside/mail-templates/markup.ts';
import { plainText, readMarkdown } from '../communications/index.ts';
import { chooser, type Given, NOTHING_GIVEN } from './chooser.ts';
import { codeQuery } from './code-field.ts';
import { previewNotice, tagOf } from './event-parts.ts';
import { proseOf } from './prose.ts';
import type { ShownEvent } from './shown.ts';
import { eventPath, hrefOf, type Page, pagesOf, type Site } from './site.ts';
import { dayText, momentText, whenOf } from './when.ts';

/** The page of an event: what, when, where, what it costs and what is left. */
export function eventPage(site: Site, shown: ShownEvent, links: PageLinks, given: Given = NOTHING_GIVEN): Page {
  const { event } = shown;
  const name = cleanLine(event.name);
  const description = event.description === null ? html`` : proseOf(event.description);
  const content = html`${previewNotice(site, shown)}${cover(site, shown, links)}<h1 dir="auto">${name}</h1>${facts(site, shown)}${toForm(site, shown)}${description}${days(site, shown)}${register(site, shown, given)}${terms(site, shown)}`;
  return {
    title: `${name} – ${site.organization.org.name}`,
    content,
    head: head(site, shown, links),
    noindex: !isListed(shown) || given.code !== '',
    query: codeQuery(given.code),
  };
}

/** Search engines find what the public list shows. */
const isListed = ({ event, preview }: ShownEvent): boolean => event.listed && event.status === 'published' && !preview;

/** Pictures come from the host of the page, because the policy allows no other. */
const local = (site: Site, links: PageLinks, address: string): string =>
  site.base + address.slice(links.pages(pagesOf(site.organization)).length);

function cover(site: Site, { event, cover: size }: ShownEvent, links: PageLinks): Html {
  if (event.image_id === null) return html``;
  const at = (use: 'tiny' | 'small' | 'image') => local(site, links, links.picture(event, event.image_id!, use));
  return html`<img class="cover" src="${at('small')}" srcset="${at('tiny')} 480w, ${at('small')} 960w, ${at('image')} 1600w" sizes="(min-width: 44rem) 39.5rem, calc(100vw - 2.5rem)" ${size === null ? '' : html` width="${size.width}" height="${size.height}"`} alt="" fetchpriority="high">`;
}

function facts(site: Site, { event, days, state }: ShownEvent): Html {
  const { t } = site;
  const rows: [string, Html][] = [];
  const when = whenOf(site, event, days);
  if (when !== null) rows.push([t('when'), when]);
  if (event.venue !== null) rows.push([t('where'), html`<span dir="auto">${event.venue}</span>`]);
  const { closes_at } = event.registration;
  if (state === 'open' && closes_at !== null)
    rows.push([t('registerUntil'), html`${momentText(site, event, closes_at)}`]);
  const calendar = html`<p class="small"><a href="${hrefOf({ ...site, embedded: false }, `${eventPath(event)}/calendar.ics`)}" download>${t('calendar')}</a></p>`;
  return html`<dl class="facts">${join(rows.map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>`))}</dl>${when === null ? '' : calendar}`;
}

/** Below a long description the form is far away. */
const toForm = (site: Site, { event, state, types }: ShownEvent): Html =>
  state === 'open' && types.length > 0 && event.description !== null
    ? html`<div class="actions"><a class="button" href="#register">${site.t('registerTitle')}</a></div>`
    : html``;

/** Only events of several days list them; the others say it all in "When". */
function days(site: Site, { event, days: all, left, state }: ShownEvent): Html {
  if (all.length < 2) return html``;
  const rows = all.map(
    (day) =>
      html`<li><div>${day.name === day.date ? html`<b>${dayText(site, event, day)}</b>` : html`<b dir="auto">${day.name}</b><br><span class="soft">${dayText(site, event, day)}</span>`}</div>${state === 'open' ? tagOf(site, left, day.id) : ''}</li>`,
  );
  return html`<h2>${site.t('days')}</h2><ul class="rows">${join(rows)}</ul>`;
}

function register(site: Site, shown: ShownEvent, given: Given): Html {
  const { t } = site;
  const { event, state } = shown;
  if (shown.types.length === 0 && !shown.hasCodes) return html``;
  if (state === 'closed') return html`<p class="notice">${t('closed')}</p>`;
  if (state === 'not_yet') {
    return html`<p class="notice">${t('opens', { when: momentText(site, event, event.registration.opens_at!) })}</p>`;
  }
  return chooser(site, shown, given);
}

const terms = (site: Site, { event }: ShownEvent): Html =>
  event.terms === null ? html`` : html`<h2>${site.t('terms')}</h2>${proseOf(event.terms)}`;

/** What search engines and previews in chats show. */
function head(site: Site, shown: ShownEvent, links: PageLinks): Html {
  const { event } = shown;
  const name = cleanLine(event.name);
  const about = shortened(
    cleanLine(event.description === null ? (event.venue ?? name) : plain(event.description)),
    200,
  );
  const url = links.eventPage(pagesOf(site.organization), event);
  const image = event.image_id === null ? null : links.picture(event, event.image_id, 'share');
  const tags: [string, string][] = [
    ['og:type', 'website'],
    ['og:title', name],
    ['og:description', about],
    ['og:url', url],
    ['og:site_name', site.organization.org.name],
    ...(image === null ? [] : ([['og:image', image]] as [string, string][])),
  ];
  return html`<link rel="canonical" href="${url}"><meta name="description" content="${about}">${join(
    tags.map(([property, content]) => html`<meta property="${property}" content="${content}">`),
  )}${isListed(shown) ? schema(site, shown, { url, image, about }) : ''}`;
}

/** The beginning of the description without its marks. */
const plain = (markdown: string): string => plainText(readMarkdown(markdown.slice(0, 2000)));

const AVAILABILITY = { available: 'InStock', few: 'LimitedAvailability', waitlist: 'BackOrder', sold_out: 'SoldOut' };

/** The event in the words of schema.org. `<` is written as an escape, so that no text can end the script element. */
function schema(
  site: Site,
  { event, types, left }: ShownEvent,
  of: { url: string; image: string | null; about: string },
): Html {
  const described = {
    '@context': 'https://schema.org',
    '@type': 'Event',
    name: event.name,
    url: of.url,
    description: of.about,
    ...(event.starts_at !== null && { startDate: event.starts_at }),
    ...(event.ends_at !== null && { endDate: event.ends_at }),
    eventStatus: 'https://schema.org/EventScheduled',
    ...(event.venue !== null && { location: { '@type': 'Place', name: event.venue, address: event.venue } }),
    ...(of.image !== null && { image: of.image }),
    organizer: { '@type': 'Organization', name: site.organization.org.name },
    offers: types.slice(0, 20).map((type) => ({
      '@type': 'Offer',
      name: type.name,
      price: type.price.price_minor / 10 ** digitsOf(event.currency),
      priceCurrency: event.currency,
      availability: `https://schema.org/${AVAILABILITY[left.types.get(type.id)!]}`,
      url: of.url,
    })),
  };
  return html`<script type="application/ld+json">${new Html(JSON.stringify(described).replaceAll('<', '\\u003c'))}</script>`;
}

const digitsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
