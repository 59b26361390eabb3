import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { growsFasterThanInput } from '../../../../test/support/growth.ts';
import type { EventRow } from '../events/index.ts';
import { type Message, renderMessage } from './letter.ts';
import { faultsIn } from './placeholders.ts';
import { type Recipient, type Setting, valuesOf } from './values.ts';

const event = {
  name: 'Lakeside Fair',
  venue: 'Boathouse',
  timezone: 'Europe/Berlin',
  language: 'en',
  starts_at: '2026-11-20T07:00:00Z',
  ends_at: '2026-11-22T20:00:00Z',
} as EventRow;
const setting: Setting = { event, organization: { name: 'Lakeside Events', terminology: {} } };
const ada: Recipient = {
  id: '',
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: null,
  registrant: 'Ada Lovelace',
  registration: 'K7M2XQ9R4T',
  attendee_type: 'Adult',
  days: ['Friday', 'Saturday'],
  ticket_codes: ['7K2M', '9QX4'],
};
const UNSUBSCRIBE = 'https://tickets.example/links/unsubscribe/x';

const write = (message: Partial<Message>, person: Partial<Recipient> = {}, at = setting) =>
  renderMessage({ kind: 'service', subject: 'Hello', text: 'Hello', ...message }, at, {
    values: valuesOf({ ...ada, ...person }, at),
    unsubscribe: message.kind === 'news' ? UNSUBSCRIBE : null,
    test: false,
  });
/** The organizer's part of the HTML. */
const body = (text: string, person: Partial<Recipient> = {}): string => {
  const { html } = write({ text }, person);
  return html.slice(html.indexOf('</h1>'), html.indexOf('class="box"'));
};
const bare = (html: string): string => html.replaceAll(/ (?:class|dir|style)="[^"]*"/g, '');

describe('placeholders', () => {
  test('are filled in, in the subject and in the text', () => {
    const mail = write({
      subject: '{{first_name}}: {{event}}',
      text: '{{first_name}} {{last_name}}, {{attendee_type}}, {{days}}, {{ticket_codes}}, {{registration}}, {{venue}}, {{organization}}',
    });
    expect(mail.subject).toBe('Ada: Lakeside Fair');
    expect(mail.text).toMatch(
      /^Ada Lovelace, Adult, Friday, Saturday, 7K2M, 9QX4, K7M2XQ9R4T, Boathouse, Lakeside Events\n/,
    );
  });

  test('without a value show the fallback behind the bar, else nothing', () => {
    const text = 'Dear {{ first_name | friend of *ours* }}, come to {{venue}}{{days|us}}!';
    const nowhere = { ...setting, event: { ...event, venue: null } };
    expect(write({ text }, { first_name: ' ', days: [] }, nowhere).text).toMatch(
      /^Dear friend of \*ours\*, come to us!\n/,
    );
    expect(write({ text }).text).toMatch(/^Dear Ada, come to BoathouseFriday, Saturday!\n/);
  });

  test('that are unknown or not closed are all reported with their position', () => {
    expect(faultsIn('{{first_name}} {{x}}\n\nand {{ Event }} {{days|a}} {{oops\n{{}} {{venue}', 'text')).toEqual([
      {
        path: 'text',
        message: expect.stringMatching(
          /^\{\{x\}\} at line 1, character 16 is not a placeholder; these are: first_name, /,
        ),
      },
      { path: 'text', message: expect.stringMatching(/^\{\{ Event \}\} at line 3, character 5 is not a placeholder/) },
      { path: 'text', message: 'has a placeholder at line 3, character 28 that does not end with }}' },
      { path: 'text', message: expect.stringMatching(/^\{\{\}\} at line 4, character 1 is not a placeholder/) },
      { path: 'text', message: 'has a placeholder at line 4, character 6 that does not end with }}' },
    ]);
    expect(faultsIn('{ {first_name} } and {{first_name|{}}', 'text')).toHaveLength(1);
    expect(faultsIn('nothing {here}', 'text')).toEqual([]);
  });
});

describe('Markdown', () => {
  test('becomes paragraphs, headings, lists, emphasis and links', () => {
    const html = body(
      '# Welcome\nDear **{{first_name}}**,\nsee *you*.\n\n- one\n- [map](https://example.org/map?r={{registration}})\n\n3. three\n4. https://example.org/a, bye',
    );
    expect(bare(html)).toContain(
      '<h2>Welcome</h2><p>Dear <b>Ada</b>,<br>see <i>you</i>.</p>' +
        '<ul><li>one</li><li><a href="https://example.org/map?r=K7M2XQ9R4T">map</a></li></ul>' +
        '<ol start="3"><li>three</li><li><a href="https://example.org/a">https://example.org/a</a>, bye</li></ol>',
    );
  });

  test('reads well as plain text', () => {
    const { text } = write({
      kind: 'news',
      text: '# Welcome\n\nDear **Ada**\n- [map](https://example.org/map)\n\n2. two',
    });
    expect(text).toBe(
      [
        'Welcome',
        'Dear Ada',
        '- map (https://example.org/map)',
        '2. two',
        'Lakeside Fair\nFri, 20 November – Sun, 22 November 2026\nBoathouse',
        `-- \nLakeside Events\nYou’re getting this e-mail because of your registration for Lakeside Fair.\nUnsubscribe: ${UNSUBSCRIBE}\n`,
      ].join('\n\n'),
    );
  });

  test('links lead only to http and https, and only to the host in the text', () => {
    for (const text of [
      '[x](javascript:alert(1))',
      '[x](data:text/html,x)',
      '[x](https://{{first_name}}/)',
      '[x](https://{{first_name}}.example.org)',
      '[x](//example.org)',
    ]) {
      expect(body(text, { first_name: 'evil' })).not.toContain('<a');
    }
    expect(body('[x](https://example.org/{{first_name}})', { first_name: '../a?b="c' })).toContain(
      'href="https://example.org/..%2Fa%3Fb%3D%22c"',
    );
  });

  test.each(['*', '**', '[', '[a](', '{{', 'https://', '**[*', '# ', '- '])(
    'a hundred thousand letters of nothing but %s take no longer than their share',
    (unit) => {
      const writeMany = (size: number) => write({ text: unit.repeat(size / unit.length) });
      expect(growsFasterThanInput(writeMany, 100_000)).toBe(false);
    },
  );
});

describe('hostile input', () => {
  const evil = `<script>alert("1")</script>'"&\r\nBcc: all@example.org **bold** [x](https://evil.example)`;

  test('in a name stays text, in the HTML and in the subject', () => {
    const mail = write({ subject: 'Dear {{first_name}}', text: 'Dear {{first_name}}' }, { first_name: evil });
    expect(mail.html).not.toMatch(/<script|<b>|href="https:\/\/evil/i);
    expect(mail.html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&quot;&amp; Bcc');
    expect(mail.subject).not.toMatch(/[\r\n\p{Cc}]/u);
  });

  test('in what the organizer writes stays text', () => {
    const mail = write({ subject: `${evil}\r\nX-Header: 1`, text: evil });
    expect(mail.html).not.toMatch(/<script/i);
    expect(mail.subject).not.toMatch(/[\r\n]/);
    expect(mail.subject.length).toBeLessThanOrEqual(150);
  });

  test('a name that looks like an address is not made a link by mail programs', () => {
    const { text, html, subject } = write(
      { subject: '{{first_name}}', text: 'Dear {{first_name}}' },
      { first_name: 'Win at https://evil.example' },
    );
    for (const part of [text, html, subject]) expect(part).not.toMatch(/evil\.example|:\/\/evil/);
  });

  test('no text and no name makes a tag or an attribute that is not ours', () => {
    const pieces = fc.array(
      fc.oneof(
        fc.constantFrom(
          '<',
          '>',
          '"',
          "'",
          '&',
          '*',
          '**',
          '[',
          '](',
          ')',
          'https://a.b/',
          '{{first_name}}',
          '\n',
          '# ',
          '- ',
        ),
        fc.constantFrom('<img src=x onerror=1>', '" onclick="1', 'javascript:', '{{first_name|', '}}'),
        fc.string({ maxLength: 5 }),
      ),
      { maxLength: 25 },
    );
    const OURS =
      /<\/?(?:p|b|i|h2|ul|li|br|ol start="\d+"|ol|a href="https?:\/\/[^"<>]*"|a)(?: (?:class|dir|style)="[^"<>]*")*>/g;
    fc.assert(
      fc.property(pieces, pieces, (text, name) => {
        const { html } = write({ text: text.join('') }, { first_name: name.join('') });
        const begins = /padding:18px 40px 0 40px[^"]*">/.exec(html)!;
        const from = begins.index + begins[0].length;
        const written = html.slice(from, html.indexOf('</td>', from));
        expect(written.replaceAll(OURS, '')).not.toMatch(/[<>]/);
      }),
      { numRuns: 500 },
    );
  });
});

test('a test mail is marked as a test, in the event’s language', () => {
  const german = { ...setting, event: { ...event, language: 'de' } };
  const mail = renderMessage({ kind: 'service', subject: 'Hallo', text: 'Hallo' }, german, {
    values: valuesOf(ada, german),
    unsubscribe: null,
    test: true,
  });
  expect(mail.subject).toBe('[Test] Hallo');
  for (const part of [mail.text, mail.html]) expect(part).toContain('Dies ist ein Test.');
  expect(write({}).html).not.toContain('This is a test');
});

test('only news can be unsubscribed from', () => {
  expect(write({ kind: 'news' }).html).toContain(`href="${UNSUBSCRIBE}"`);
  expect(write({ kind: 'service' }).html).not.toContain('nsubscribe');
});
