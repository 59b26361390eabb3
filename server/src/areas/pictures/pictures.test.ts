import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { untilWaitingForLock } from '../../../../test/support/waiting.ts';
import { type Id, toUuid } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import { transaction } from '../../store/tx.ts';
import { pictureFile } from './index.ts';
import { keep } from './keep.ts';
import { bomb, flag, jpeg, noise, photo, SVG } from './pictures.support.ts';

let t: TestTurnout;
let org: Id;
let key: string;
let event: { id: string; updated_at: string };
beforeAll(async () => {
  t = await startTest();
  org = await t.org('acme');
  key = (await t.key('acme')).secret;
  event = await newEvent('fair');
});
afterAll(() => t.stop());

const newEvent = async (code: string) =>
  (await t.call('POST', '/v1/events', { key, body: { code, name: code, timezone: 'Europe/Berlin' } })).body;

interface Sent {
  at?: string;
  type?: string;
  secret?: string;
  headers?: Record<string, string>;
}
async function put(
  file: BodyInit | Uint8Array,
  { at = '/v1/events/fair/image', type, secret = key, headers }: Sent = {},
) {
  const response = await fetch(t.url + at, {
    method: 'PUT',
    headers: {
      ...(secret !== '' && { authorization: `Bearer ${secret}` }),
      ...(!(file instanceof FormData) && { 'content-type': type ?? 'image/jpeg' }),
      ...headers,
    },
    body: file as BodyInit,
  });
  return { status: response.status, body: await response.json() };
}
const remove = (at = '/v1/events/fair/image') => t.call('DELETE', at, { key });
const nameOf = (address: string, end: string): string => address.split('/').at(-1)!.replace('-1600.webp', end);
const served = (name: string, of = org) => pictureFile(t.pool, t.clock, of, name);
const file = async (address: string, end: string): Promise<Buffer> => (await served(nameOf(address, end)))!.bytes;
const metadata = async (address: string, end: string) => sharp(await file(address, end)).metadata();
/** The colour in the middle of the left edge, the right edge and so on. */
const colour = async (bytes: Buffer, left: number, top: number): Promise<'red' | 'blue'> => {
  const { data } = await sharp(bytes)
    .removeAlpha()
    .extract({ left, top, width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return data[0]! > data[2]! ? 'red' : 'blue';
};
/** How many pictures an event has, and how many files. */
const rows = (of = event.id) =>
  t.system((tx) =>
    tx.one<{ pictures: number; files: number }>(sql`
      select count(distinct p.id)::int as pictures, count(f.name)::int as files
      from pictures p left join picture_files f on f.org_id = p.org_id and f.picture_id = p.id
      where p.event_id = ${toUuid(of)}`),
  );

describe('what is served is made by the server', () => {
  test.each([
    ['JPEG', () => flag(2000, 1000).jpeg().toBuffer(), 'image/jpeg'],
    ['PNG', () => flag(2000, 1000).png().toBuffer(), 'image/png'],
    ['WebP', () => flag(2000, 1000).webp().toBuffer(), 'image/webp'],
    ['a PNG that is sent as JPEG', () => flag(2000, 1000).png().toBuffer(), 'image/jpeg'],
    ['a JPEG with four inks', () => flag(2000, 1000).toColourspace('cmyk').jpeg().toBuffer(), 'image/jpeg'],
    ['a grey PNG of sixteen bits', () => noise(2000, 1000).toColourspace('grey16').png().toBuffer(), 'image/png'],
  ])('%s', async (_name, make, type) => {
    const { status, body } = await put(await make(), { type });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({
      code: 'fair',
      image: expect.stringMatching(/^http.+\/o\/acme\/assets\/\w{26}-1600\.webp$/),
    });
    expect(body.updated_at > event.updated_at).toBe(true);
    expect((await t.call('GET', '/v1/events/fair', { key })).body).toEqual(body);
    for (const [end, format, width, height] of [
      ['-1600.webp', 'webp', 1600, 800],
      ['-960.webp', 'webp', 960, 480],
      ['-480.webp', 'webp', 480, 240],
      ['-share.jpg', 'jpeg', 1200, 630],
    ] as const) {
      expect(await metadata(body.image, end)).toMatchObject({ format, width, height, space: 'srgb', channels: 3 });
    }
    expect((await served(nameOf(body.image, '-share.jpg')))!.type).toBe('image/jpeg');
    expect((await served(nameOf(body.image, '-480.webp')))!.type).toBe('image/webp');
  });

  test('a small picture is not enlarged, except for links; a strip does not become as high as it likes', async () => {
    const small = (await put(await jpeg(300, 200))).body.image;
    expect(await metadata(small, '-1600.webp')).toMatchObject({ width: 300, height: 200 });
    expect(await metadata(small, '-480.webp')).toMatchObject({ width: 300, height: 200 });
    expect(await metadata(small, '-share.jpg')).toMatchObject({ width: 1200, height: 630 });
    const strip = (await put(await jpeg(40, 20_000))).body.image;
    expect((await metadata(strip, '-1600.webp')).height).toBe(3200);
  });

  test('it is turned as the camera was held, and nothing tells where, with what and by whom it was taken', async () => {
    const sent = await photo();
    expect(sent.includes('Secretphone')).toBe(true);
    expect((await sharp(sent).metadata()).exif!.length).toBeGreaterThan(100);
    const { image } = (await put(sent)).body;
    expect(await metadata(image, '-1600.webp')).toMatchObject({ width: 400, height: 640 });
    // What is above in the file is on the right in the picture.
    expect(await colour(await file(image, '-1600.webp'), 390, 320)).toBe('red');
    expect(await colour(await file(image, '-1600.webp'), 10, 320)).toBe('blue');
    for (const end of ['-1600.webp', '-960.webp', '-480.webp', '-share.jpg']) {
      const { exif, xmp, iptc, icc, orientation } = await metadata(image, end);
      expect([exif, xmp, iptc, icc, orientation]).toEqual([undefined, undefined, undefined, undefined, undefined]);
      expect(/Secretphone|Lovelace|GPS|Exif/.test((await file(image, end)).toString('latin1'))).toBe(false);
    }
  });

  test('what stands behind the last byte of the picture is not served', async () => {
    const { image } = (await put(Buffer.concat([await jpeg(), Buffer.from('<script>alert(1)</script>')]))).body;
    for (const end of ['-1600.webp', '-share.jpg']) expect((await file(image, end)).includes('alert')).toBe(false);
  });

  test('its address answers with the picture and nothing that a browser could run', async () => {
    const { image } = (await put(await jpeg(260, 200))).body;
    const { pathname } = new URL(image);
    const response = await fetch(t.url + pathname);
    expect([response.status, Buffer.from(await response.arrayBuffer())]).toEqual([
      200,
      await file(image, '-1600.webp'),
    ]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'",
    });
    const head = await fetch(t.url + pathname, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await fetch(t.url + pathname.replace('-1600', '-1601'))).status).toBe(404);
    expect((await fetch(t.url + pathname.replace('/acme/', '/nobody/'))).status).toBe(404);
  });

  test('as a part of a form, too', async () => {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(await jpeg(320, 200))], { type: 'image/jpeg' }), 'fair.jpg');
    const reply = await put(form);
    expect([reply.status, (await metadata(reply.body.image, '-1600.webp')).width]).toEqual([200, 320]);
  });

  test('a logo fits into 480 × 160 and keeps its transparency', async () => {
    const clear = await sharp({ create: { width: 900, height: 900, channels: 4, background: '#ff000080' } })
      .png()
      .toBuffer();
    const reply = await put(clear, { at: '/v1/organization/logo', type: 'image/png' });
    expect(reply.body).toMatchObject({ code: 'acme', logo: expect.stringMatching(/-logo\.png$/) });
    const logo = (await served(reply.body.logo.split('/').at(-1)))!;
    expect(logo.type).toBe('image/png');
    expect(await sharp(logo.bytes).metadata()).toMatchObject({ width: 160, height: 160, hasAlpha: true });
    expect((await remove('/v1/organization/logo')).body.logo).toBeNull();
    expect(await served(reply.body.logo.split('/').at(-1))).toBeNull();
  });
});

describe('400 validation_failed, and the picture before is still there', () => {
  beforeAll(async () => {
    await put(await jpeg());
  });

  test.each<[string, () => Promise<Uint8Array | string>, string]>([
    ['an SVG with a script', async () => SVG, 'not_picture'],
    ['a GIF', () => flag(20, 20).gif().toBuffer(), 'not_picture'],
    ['a TIFF', () => flag(20, 20).tiff().toBuffer(), 'not_picture'],
    ['an AVIF', () => flag(20, 20).avif().toBuffer(), 'not_picture'],
    ['a PDF', async () => '%PDF-1.7\n1 0 obj\n<<>>\nendobj', 'not_picture'],
    ['HTML', async () => '<!doctype html><script>alert(1)</script>', 'not_picture'],
    ['text', async () => 'not a picture', 'not_picture'],
    ['nothing', async () => ' ', 'not_picture'],
    [
      'the first bytes of a JPEG and then HTML',
      async () => Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.from('<html>')]),
      'picture_damaged',
    ],
    ['a PNG that declares 30,000 × 30,000 pixels', async () => bomb(30_000, 30_000), 'too_many_pixels'],
    ['a PNG that has fewer pixels than it declares', async () => bomb(5000, 5000), 'picture_damaged'],
    ['half a JPEG', async () => (await noise(900, 900).jpeg().toBuffer()).subarray(0, 100_000), 'picture_damaged'],
    ['half a PNG', async () => (await noise(900, 900).png().toBuffer()).subarray(0, 1_000_000), 'picture_damaged'],
    ['half a WebP', async () => (await noise(900, 900).webp().toBuffer()).subarray(0, 100_000), 'picture_damaged'],
  ])('%s', async (_name, make, rule) => {
    const before = (await t.call('GET', '/v1/events/fair', { key })).body;
    const reply = await put(await make());
    expect([reply.status, reply.body.error.code], JSON.stringify(reply.body)).toEqual([400, 'validation_failed']);
    expect(reply.body.error.details).toMatchObject([{ path: 'file', rule }]);
    expect((await t.call('GET', '/v1/events/fair', { key })).body).toEqual(before);
    expect(await served(nameOf(before.image, '-1600.webp'))).not.toBeNull();
  });

  test('without a picture, or as JSON', async () => {
    const nothing = await t.call('PUT', '/v1/events/fair/image', { key });
    const json = await t.call('PUT', '/v1/events/fair/image', { key, body: { file: 'x' } });
    for (const { status, body } of [nothing, json]) {
      expect([status, body.error.details]).toMatchObject([
        400,
        [{ path: 'file', message: expect.stringContaining('image/webp') }],
      ]);
    }
  });
});

test('413 for more than 10 MB, 415 for another media type', async () => {
  const large = Buffer.concat([await jpeg(), Buffer.alloc(10 * 1024 * 1024)]);
  expect((await put(large)).body.error.code).toBe('payload_too_large');
  expect((await put(large.subarray(0, 10 * 1024 * 1024))).status).toBe(200);
  expect((await put('x', { type: 'image/svg+xml' })).body.error).toMatchObject({ code: 'unsupported_media_type' });
  expect((await put('a,b', { type: 'text/csv' })).body.error.message).toContain('`image/jpeg`, `image/png`');
});

describe('one picture', () => {
  test('the one before is gone', async () => {
    const before = (await put(await jpeg(200, 100))).body.image;
    expect(await served(nameOf(before, '-960.webp'))).not.toBeNull();
    const after = (await put(await jpeg(220, 100))).body.image;
    expect(after).not.toBe(before);
    expect(await served(nameOf(before, '-960.webp'))).toBeNull();
    expect(await served(nameOf(after, '-960.webp'))).not.toBeNull();
    expect(await rows()).toEqual({ pictures: 1, files: 4 });
  });

  test('the same one again changes nothing', async () => {
    const once = (await put(await jpeg(240, 100))).body;
    expect((await put(await jpeg(240, 100))).body).toEqual(once);
    const { body } = await t.call('GET', '/v1/audit-log?event=fair&action=event.changed&limit=2', { key });
    expect(body.data[0].changes.fields.image.after).toBe(once.image);
    expect(body.data[1]?.changes.fields.image?.after).not.toBe(once.image);
  });

  test('removing it; removing it again changes nothing', async () => {
    await put(await jpeg(260, 100));
    const removed = await remove();
    expect([removed.status, removed.body.image, await rows()]).toEqual([200, null, { pictures: 0, files: 0 }]);
    expect((await remove()).body).toEqual(removed.body);
  });

  test('of two that come at the same time one is left', async () => {
    const pictures = [await jpeg(280, 100), await jpeg(300, 100)];
    let both: Promise<{ status: number; body: { image: string } }[]> | null = null;
    await t.system(async (tx) => {
      await tx.run(sql`select 1 from event_clocks where event_id = ${toUuid(event.id)} for update`);
      both = Promise.all(pictures.map((one) => put(one)));
      await untilWaitingForLock(t.database, 2);
    });
    expect((await both!).map(({ status }) => status)).toEqual([200, 200]);
    expect(await rows()).toEqual({ pictures: 1, files: 4 });
    const { image } = (await t.call('GET', '/v1/events/fair', { key })).body;
    expect(await served(nameOf(image, '-1600.webp'))).not.toBeNull();
  });

  test('control: without the lock one of the two fails', async () => {
    const { id } = await newEvent('control');
    const made = (use: 'logo', width: number) => ({
      width,
      height: 1,
      files: [{ use, type: 'image/png', bytes: Buffer.alloc(width) }],
    });
    const inTransaction = (width: number, then?: () => Promise<void>) =>
      transaction(t.pool, t.clock, { role: 'app', org }, async (tx) => {
        await keep({ tx, org } as Parameters<typeof keep>[0], toUuid(id), made('logo', width));
        await then?.();
      });
    let second: Promise<PromiseSettledResult<void>[]> | null = null;
    await inTransaction(1, async () => {
      second = Promise.allSettled([inTransaction(2)]);
      await untilWaitingForLock(t.database);
    });
    expect((await second!).map(({ status }) => status)).toEqual(['rejected']);
  });

  test('a deleted event takes its picture along, and an archived one keeps it', async () => {
    const { id } = await newEvent('archived');
    await put(await jpeg(320, 100), { at: '/v1/events/archived/image' });
    expect((await t.call('POST', '/v1/events/archived/archive', { key })).status).toBe(200);
    expect((await put(await jpeg(), { at: '/v1/events/archived/image' })).body.error.code).toBe('invalid_state');
    expect((await remove('/v1/events/archived/image')).body.error.code).toBe('invalid_state');
    expect(await rows(id)).toEqual({ pictures: 1, files: 4 });
    expect((await t.call('DELETE', '/v1/events/archived', { key })).status).toBe(204);
    expect(await rows(id)).toEqual({ pictures: 0, files: 0 });
  });

  test('an event that is deleted while the picture is made leaves nothing behind', async () => {
    const { id } = await newEvent('short');
    let late: Promise<{ status: number }> | null = null;
    await t.system(async (tx) => {
      await tx.run(sql`select 1 from event_clocks where event_id = ${toUuid(id)} for update`);
      late = put(await jpeg(), { at: '/v1/events/short/image' });
      await untilWaitingForLock(t.database);
      await tx.run(sql`delete from events where org_id = ${org} and id = ${toUuid(id)}`);
    });
    expect([(await late!).status, await rows(id)]).toEqual([404, { pictures: 0, files: 0 }]);
  });

  test('an event made of a template of another has no picture', async () => {
    await put(await jpeg(340, 100));
    const template = (await t.call('GET', '/v1/events/fair/template', { key })).body;
    const copy = await t.call('POST', '/v1/event-templates/imports', {
      key,
      body: { template, event: { code: 'copy' } },
    });
    expect([copy.status, copy.body.event?.image ?? copy.body.image ?? null]).toEqual([201, null]);
  });
});

describe('who may', () => {
  test('not a key that reads, not one of another organization, not a test key', async () => {
    await t.org('other');
    const picture = await jpeg();
    const of = async (secret: string, at?: string) =>
      (await put(picture, { secret, ...(at && { at }) })).body.error?.code;
    expect(await of((await t.key('acme', { scopes: ['read'] })).secret)).toBe('api_key_scope');
    expect(await of((await t.key('acme', { scopes: ['write'] })).secret, '/v1/organization/logo')).toBe(
      'api_key_scope',
    );
    expect(await of((await t.key('other')).secret)).toBe('not_found');
    expect(await of((await t.key('other')).secret, `/v1/events/${event.id}/image`)).toBe('not_found');
    expect(await of((await t.key('acme', { mode: 'test' })).secret)).toBe('test_key_live_object');
  });

  test('members with the permission', async () => {
    for (const [role, image, logo] of [
      ['owner', 200, 200],
      ['manager', 200, 403],
      ['viewer', 403, 403],
    ] as const) {
      const headers = { cookie: `turnout_session=${await t.session('acme', role)}`, 'sec-fetch-site': 'same-origin' };
      const as = { secret: '', headers };
      expect((await put(await jpeg(), { ...as, at: '/app/api/acme/events/fair/image' })).status, role).toBe(image);
      expect((await put(await jpeg(), { ...as, at: '/app/api/acme/organization/logo' })).status, role).toBe(logo);
    }
  });

  test('the pictures of an organization are not at the pages of another', async () => {
    const { image } = (await put(await jpeg(360, 100))).body;
    const other = await t.org('third');
    expect(await served(nameOf(image, '-480.webp'))).not.toBeNull();
    expect(await served(nameOf(image, '-480.webp'), other)).toBeNull();
  });

  test.each([
    '',
    'x',
    '../../etc/passwd',
    '01J',
    '01JZZZZZZZZZZZZZZZZZZZZZZZ-1600.webp',
    '01jzzzzzzzzzzzzzzzzzzzzzzz-1600.webp',
  ])('there is no file %j', async (name) => expect(await served(name)).toBeNull());
});
