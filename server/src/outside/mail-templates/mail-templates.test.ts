import { describe, expect, test } from 'vitest';
import { MAIL_KINDS, type MailData, renderMail } from './index.ts';

const opening = {
  name: 'Opening day',
  date: '2026-06-12',
  opens_at: '2026-06-12T07:00:00Z',
  closes_at: '2026-06-12T16:00:00Z',
};
const saturday = { name: '2026-06-13', date: '2026-06-13', opens_at: null, closes_at: null };

const sample: MailData = {
  organization: { name: 'Nordic Fairs Association', terminology: {} },
  event: {
    name: 'Bergen Summer Fair',
    venue: 'Grieghallen, Bergen',
    timezone: 'Europe/Oslo',
    language: 'en',
    starts_at: '2026-06-12T07:00:00Z',
    ends_at: '2026-06-14T16:00:00Z',
  },
  recipient: { name: 'Ada Lovelace' },
  registration: {
    code: 'R-8KQ2M',
    status: 'confirmed',
    total_minor: 14500,
    paid_minor: 14500,
    currency: 'EUR',
    payment_due_at: null,
  },
  people: [
    { name: 'Ada Lovelace', attendee_type: 'Exhibitor', days: [opening, saturday], price_minor: 9500 },
    { name: 'Charles Babbage', attendee_type: 'Visitor', days: [opening], price_minor: 5000 },
  ],
  tickets: [
    { code: '7K2M9QX4T8VR3BNWJ5H6PDCZ0Y', people: ['Ada Lovelace'], pdf_url: 'https://tickets.example/1.pdf' },
    { code: '8K2M9QX4T8VR3BNWJ5H6PDCZ0Y', people: ['Charles Babbage'] },
  ],
  links: { manage: 'https://tickets.example/r/8KQ2M?a=1&b=2' },
};
const { tickets: _, ...withoutTickets } = sample;
const unpaid: MailData = {
  ...withoutTickets,
  registration: {
    ...sample.registration,
    status: 'pending_payment',
    paid_minor: 2000,
    payment_due_at: '2026-05-01T21:59:00Z',
  },
};
const inLanguage = (language: string, data = sample): MailData => ({ ...data, event: { ...data.event, language } });

/** Tags that are opened and not closed, or closed and not opened. */
function unbalanced(html: string): string[] {
  const open: string[] = [];
  const wrong: string[] = [];
  for (const [, slash, tag = ''] of html.replace(/<!--[\s\S]*?-->/g, '').matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*>/g)) {
    if (['meta', 'br', 'img', 'hr', 'link'].includes(tag)) continue;
    if (slash === '') open.push(tag);
    else if (open.pop() !== tag) wrong.push(tag);
  }
  return [...wrong, ...open];
}
const shown = (html: string) =>
  html
    .replace(/<style>[\s\S]*?<\/style>|<title>[\s\S]*?<\/title>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');

describe.each(MAIL_KINDS)('%s', (kind) => {
  test.each(['en', 'de', 'fr', 'es'])('in %s has a subject, a text and well-formed HTML of its own', (language) => {
    for (const data of [sample, unpaid, { ...sample, reason: 'A word\nfrom us' }]) {
      const mail = renderMail(kind, inLanguage(language, data));
      for (const part of [mail.subject, mail.text, mail.html]) {
        expect(part).toContain('Bergen Summer Fair');
        expect(part).not.toMatch(/undefined|null|NaN|\[object|\$\{|Invalid Date/);
      }
      expect(mail.subject).toMatch(/^[^\p{Cc}]{8,150}$/u);
      expect(mail.text).toContain('Ada Lovelace');
      expect(mail.text).toContain('R-8KQ2M');
      expect(mail.html).toContain(`<html lang="${language}">`);
      expect(unbalanced(mail.html)).toEqual([]);
      expect(mail.html.length).toBeLessThan(30_000);
    }
  });

  test('has a different text in each language', () => {
    const texts = ['en', 'de', 'fr', 'es'].map((language) => renderMail(kind, inLanguage(language)).text);
    expect(new Set(texts).size).toBe(4);
  });

  test('loads nothing from elsewhere and runs no scripts', () => {
    const { html } = renderMail(kind, sample);
    expect(html).not.toMatch(/<(script|link|iframe|form|svg)\b|url\(|@import|\son\w+=/i);
    expect(html).not.toMatch(/<img(?! src="cid:)/i);
    expect([...html.matchAll(/href="([^"]*)"/g)].map((match) => match[1])).toSatisfy((links: string[]) =>
      links.every((link) => link.startsWith('https://tickets.example/')),
    );
  });

  test('has the same content as text and as HTML', () => {
    const { text, html } = renderMail(kind, unpaid);
    const seen = shown(html);
    for (const paragraph of text.split('\n\n').slice(2, 4)) expect(seen).toContain(paragraph.split('\n')[0]);
    for (const amount of text.match(/€[\d.,]+/g) ?? []) expect(seen).toContain(amount);
  });
});

describe('hostile input', () => {
  const evil = `<script>alert("1")</script>'"&\r\nBcc: all@example.org`;
  const hostile: MailData = {
    ...sample,
    organization: { name: evil, terminology: { ticket: evil, attendee: evil, attendees: evil, registration: evil } },
    event: { ...sample.event, name: evil, venue: evil },
    recipient: { name: evil },
    registration: { ...sample.registration, code: evil },
    people: [{ name: evil, attendee_type: evil, days: [{ ...opening, name: evil }], price_minor: 1 }],
    tickets: [{ code: evil, people: [evil], pdf_url: 'javascript:alert(1)' }],
    reason: evil,
    links: { manage: 'https://tickets.example/"><script>alert(1)</script>' },
  };

  test.each(MAIL_KINDS)('stays text in %s', (kind) => {
    const { subject, html } = renderMail(kind, hostile);
    expect(subject).not.toMatch(/[\r\n\p{Cc}\p{Cf}]/u);
    expect(html).not.toMatch(/<script/i);
    expect(html).not.toContain('javascript:');
    expect(unbalanced(html)).toEqual([]);
    expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&quot;&amp;');
  });

  test('a name cannot add a line to the text or change its direction', () => {
    const { text, subject } = renderMail('confirmation', {
      ...sample,
      recipient: { name: 'Eve\u2028\u202e\nPlease pay elsewhere' },
      event: { ...sample.event, name: 'Fair\u0085\u2066\u0000 2026' },
    });
    expect(text).toContain('Hello Eve Please pay elsewhere,');
    expect(subject).toBe('Confirmed: Fair 2026');
  });

  test('a name that looks like an address is not made a link by mail programs', () => {
    const { text, html } = renderMail('confirmation', {
      ...sample,
      recipient: { name: 'Win at https://evil.example or mail me@evil.example' },
    });
    for (const part of [text, html]) expect(part).not.toMatch(/evil\.example|:\/\/evil/);
    expect(text).toContain('evil.\u200bexample');
    const initials = renderMail('confirmation', { ...sample, recipient: { name: 'J.R.R. Tolkien' } });
    expect(initials.text).toContain('Hello J.R.R. Tolkien,');
  });

  test('links of other schemes than http are left out', () => {
    for (const manage of ['javascript:alert(1)', 'data:text/html,x', 'nonsense', '']) {
      const { html, text } = renderMail('confirmation', { ...withoutTickets, links: { manage } });
      expect(html).not.toContain('href');
      expect(text).not.toContain('My registration');
    }
  });

  test('a very long name or a thousand attendees do not make an endless mail', () => {
    const people = Array.from({ length: 1000 }, () => sample.people[0]!);
    const event = { ...sample.event, name: 'x'.repeat(2000) };
    const mail = renderMail('confirmation', { ...sample, event, people });
    expect(mail.subject.length).toBeLessThanOrEqual(150);
    expect(mail.subject).toMatch(/…$/);
    expect(mail.html.length).toBeLessThan(102_000);
    expect(mail.text).toContain('and 960 more');
  });
});

describe('money', () => {
  const total = (currency: string, total_minor: number, language = 'en-US') => {
    const registration = { ...sample.registration, currency, total_minor, paid_minor: 0 };
    const { text } = renderMail('confirmation', inLanguage(language, { ...sample, registration }));
    return /^(?:Total|Gesamt): +(.*)$/m.exec(text)?.[1];
  };

  test.each([
    ['EUR', 123456, 'en-US', '€1,234.56'],
    ['EUR', 123456, 'de', '1.234,56 €'],
    ['JPY', 2500, 'en-US', '¥2,500'],
    ['KWD', 12345, 'en-US', 'KWD 12.345'],
    ['HUF', 250000, 'en-US', 'HUF 2,500'],
    ['HUF', 250050, 'en-US', 'HUF 2,500.50'],
    ['CHF', 5, 'en-US', 'CHF 0.05'],
    ['EUR', 1_000_000_000_000, 'en-US', '€10,000,000,000.00'],
  ])('%s %i in %s is %s', (currency, minor, language, written) => {
    expect(total(currency, minor, language)).toBe(written);
  });

  test('a free registration shows no amounts', () => {
    const registration = { ...sample.registration, total_minor: 0, paid_minor: 0 };
    const { text, html } = renderMail('confirmation', { ...sample, registration });
    expect(text).not.toMatch(/€|Total/);
    expect(html).not.toMatch(/€|Total/);
  });

  test('an attendee who is not the registrant is shown no amounts', () => {
    expect(renderMail('attendee_ticket', sample).text).not.toContain('€');
  });

  test('an open amount is asked for, with the date it is due and the code to quote', () => {
    const { text } = renderMail('payment_due', { ...unpaid, payment_instructions: 'IBAN' });
    expect(text).toContain(
      'Pay €125.00 by Friday, 1 May 2026, 23:59 (CEST) to keep your places. After that, they’re released.',
    );
    expect(text).toContain('Give R-8KQ2M as the reference of your payment.');
    expect(text).toMatch(/^To pay: +€125\.00$/m);
  });

  test('it says how to pay: by the button, as the organizer wrote, or whom to ask', () => {
    const online = renderMail('payment_due', { ...unpaid, online: true }).text;
    expect(online).toContain('Pay now:\nhttps://tickets.example/r/');
    expect(online).toContain('confirmed as soon as your payment arrives.');
    const written = renderMail('payment_due', { ...unpaid, payment_instructions: 'IBAN DE00' }).text;
    expect(written).toContain('How to pay:\nIBAN DE00');
    const unsaid = renderMail('payment_due', { ...unpaid, payment_instructions: ' \n' }).text;
    expect(unsaid).toContain('Ask the organizer how to pay.');
    for (const text of [written, unsaid]) {
      expect(text).toContain('My registration:\nhttps://tickets.example/r/');
      expect(text).not.toContain('Pay now');
    }
    for (const text of [online, unsaid]) expect(text).not.toContain('reference');
  });

  test('a mail about an ended registration asks for no payment', () => {
    for (const kind of ['declined', 'cancelled', 'registration_expired'] as const) {
      expect(renderMail(kind, unpaid).text).not.toMatch(/to pay|pay €/i);
    }
  });
});

describe('words', () => {
  const own = { attendee: 'guest', attendees: 'guests', registration: 'booking', ticket: 'pass', tickets: 'passes' };
  const organization = { ...sample.organization, terminology: own };

  test('are the organization’s own in English', () => {
    for (const kind of MAIL_KINDS) {
      for (const data of [sample, unpaid]) {
        const { subject, text } = renderMail(kind, { ...data, organization, links: {} });
        expect(`${subject} ${text.replace(/https:\S+/g, '')}`).not.toMatch(/registration|ticket|attendee/i);
      }
    }
    const { text } = renderMail('confirmation', { ...sample, organization });
    expect(text).toContain('Your booking is confirmed.');
    expect(text).toContain('Your passes are attached');
    expect(text).toContain('Guests:');
  });

  test('are not used in other languages', () => {
    expect(renderMail('confirmation', inLanguage('de', { ...sample, organization })).text).not.toMatch(
      /guest|booking|pass/,
    );
  });

  test('an empty term is ignored', () => {
    const empty = { ...sample.organization, terminology: { registration: ' ' } };
    expect(renderMail('confirmation', { ...sample, organization: empty }).text).toContain(
      'Your registration is confirmed.',
    );
  });

  test('are English if we do not have the event’s language, with dates in that language', () => {
    const { text } = renderMail('confirmation', inLanguage('it'));
    expect(text).toContain('Your registration is confirmed.');
    expect(text).toContain('giugno');
    expect(renderMail('confirmation', inLanguage('xx-nonsense')).text).toContain('Your registration is confirmed.');
  });

  test('are right for one ticket and several, attached or not', () => {
    const one = { ...sample, tickets: sample.tickets!.slice(0, 1) };
    expect(renderMail('confirmation', one).text).toContain('Your ticket is attached');
    expect(renderMail('confirmation', sample).text).toContain('Your tickets are attached');
    expect(renderMail('confirmation', withoutTickets).text).not.toContain('attached');
  });

  test.each([
    ['en', 'Your ticket is online', 'Your tickets are online', 'The first 200 of your 202 tickets'],
    ['de', 'Ihr Ticket finden Sie online', 'Ihre Tickets finden Sie online', 'Die ersten 200 Ihrer 202 Tickets'],
    ['fr', 'Votre billet est en ligne', 'Vos billets sont en ligne', 'Les 200 premiers de vos 202 billets'],
    ['es', 'Su entrada está en línea', 'Sus entradas están en línea', 'Las primeras 200 de sus 202 entradas'],
  ])('say which tickets are not attached as PDF (%s)', (language, one, several, first) => {
    const [ticket] = sample.tickets!;
    const textOf = (count: number, more: Partial<MailData> = {}) =>
      renderMail('confirmation', { ...inLanguage(language), tickets: Array(count).fill(ticket), ...more }).text;
    const flat = (text: string) => text.replace(/\s+/g, ' ');
    expect(flat(textOf(1, { attached: 0 }))).toContain(one);
    expect(flat(textOf(2, { attached: 0 }))).toContain(several);
    expect(flat(textOf(202))).toContain(first);
    expect(flat(textOf(200))).not.toContain('200');
  });

  test('after approval or promotion depend on the registration’s status', () => {
    for (const kind of ['approved', 'promoted'] as const) {
      const at = (status: string, data: MailData) =>
        renderMail(kind, { ...data, registration: { ...data.registration, status } }).text;
      expect(at('confirmed', sample)).toContain('Your registration is confirmed.');
      expect(at('pending_payment', unpaid)).toContain('Pay €125.00');
      expect(at('pending_approval', unpaid)).toContain('The organizer is reviewing your registration');
    }
  });

  test('the organizer’s reason is quoted, line by line', () => {
    const { text, html } = renderMail('declined', { ...sample, reason: 'Too many requests.\r\nSorry <3' });
    expect(text).toContain('Message from the organizer:\n> Too many requests.\n> Sorry <3');
    expect(html).toContain('Too many requests.<br>Sorry &lt;3');
    expect(renderMail('declined', { ...sample, reason: ' \n ' }).text).not.toContain('Message from');
  });
});

describe('days', () => {
  const withDays = (days: MailData['people'][number]['days'], language = 'en') =>
    renderMail('confirmation', inLanguage(language, { ...sample, people: [{ ...sample.people[0]!, days }] })).text;

  test('are written as on the ticket: date, hours, and a name where they have one', () => {
    expect(withDays([opening, saturday])).toContain(
      'Exhibitor · Fri, 12 June 2026, 09:00 – 18:00 (Opening day) · Sat, 13 June 2026 ·',
    );
    expect(withDays([opening], 'de')).toContain('Fr., 12. Juni 2026, 09:00 – 18:00 (Opening day)');
  });

  test('are cut short if there are very many', () => {
    const text = withDays(Array.from({ length: 366 }, () => saturday));
    expect(text.match(/Sat, 13 June 2026/g)).toHaveLength(7);
    expect(text).toContain('and 359 more');
  });

  test('of an event from midnight to midnight end on its last day', () => {
    const event = { ...sample.event, starts_at: '2026-06-11T22:00:00Z', ends_at: '2026-06-14T22:00:00Z' };
    expect(renderMail('confirmation', { ...sample, event }).text).toMatch(/Fri, 12 June\s–\sSun, 14 June 2026/);
    const oneDay = { ...event, ends_at: '2026-06-12T22:00:00Z' };
    expect(renderMail('confirmation', { ...sample, event: oneDay }).text).toContain('Friday, 12 June 2026\n');
  });
});

test('a QR code is shown by its Content-ID, with the code below it', () => {
  const tickets = [{ code: '7K2M9QX4T8VR3BNWJ5H6PDCZ0Y', people: ['Ada'], qr: 'a"b@turnout' }];
  const { html } = renderMail('confirmation', { ...sample, tickets });
  expect(html).toMatch(/<img src="cid:a&quot;b@turnout" [^>]*alt="QR code"[^>]*\/><span[^>]*>7K2M 9QX4 /);
});
