import { once } from 'node:events';
import { createServer } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { CreateMultipartUploadCommand, HeadObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, describe, expect, test } from 'vitest';
import { freePort } from '../../../test/support/running.ts';
import { startS3 } from '../../../test/support/s3.ts';
import { FilesAway } from '../common/files-away.ts';
import { filesPlace, type S3Place } from '../common/files-place.ts';
import { newUlid } from '../common/ids.ts';
import { storeBehaves } from './files.support.ts';
import { s3Files } from './s3-files.ts';

const s3 = await startS3();
afterAll(() => s3?.stop());

describe.skipIf(s3 === null)('S3', () => {
  const { client, bucket: Bucket, url } = s3!;
  const place = (prefix: string, more = '') => filesPlace(url(prefix, more)) as S3Place;
  storeBehaves(
    'in a bucket',
    () => s3Files(place('')),
    () => s3Files(place('empty')),
  );
  storeBehaves(
    'under a prefix',
    () => s3Files(place('a/b')),
    () => s3Files(place('a/b/empty')),
  );

  const key = () => `${newUlid(new Date())}/${newUlid(new Date())}-${newUlid(new Date())}`;
  async function* text(one: string) {
    yield Buffer.from(one);
  }

  test('files are encrypted as FILES_URL says', async () => {
    const one = key();
    await s3Files(place('safe', '&encryption=AES256')).write(one, text('x'));
    const head = await client.send(new HeadObjectCommand({ Bucket, Key: `safe/${one}` }));
    expect(head.ServerSideEncryption).toBe('AES256');
  });

  test('what a killed process has left unfinished is listed, and can be deleted', async () => {
    const one = key();
    await client.send(new CreateMultipartUploadCommand({ Bucket, Key: `left/${one}` }));
    const files = s3Files(place('left'));
    const listed = async () => {
      const keys = [];
      for await (const found of files.list()) keys.push(found);
      return keys;
    };
    expect(await listed()).toEqual([`${one}.part`]);
    expect(await files.delete(`${one}.part`)).toBe(true);
    expect(await listed()).toEqual([]);
    expect(await files.delete(`${one}.part`)).toBe(false);
  });

  test('a bucket that is not there is refused, and not taken for an empty one', async () => {
    const files = s3Files({ ...place(''), bucket: 'nowhere' });
    const asked = [
      () => files.readMark(),
      () => files.read(key()),
      () => files.write(key(), text('x')),
      async () => {
        for await (const _ of files.list());
      },
    ];
    for (const ask of asked) await expect(ask()).rejects.toMatchObject({ isRefused: true });
  });

  test('a store that cannot be reached is away, and serves again later', async () => {
    const files = s3Files({ ...place(''), endpoint: `http://127.0.0.1:${await freePort()}` });
    const asked = await files.read(key()).catch((error: unknown) => error);
    expect(asked).toBeInstanceOf(FilesAway);
    expect(asked).toMatchObject({ isRefused: false });
  });

  test('a file that stops halfway is away, and not a short file', async () => {
    const cut = createServer((socket) => {
      socket.once('data', () =>
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf', () => socket.destroy()),
      );
    }).listen(0, '127.0.0.1');
    await once(cut, 'listening');
    const { port } = cut.address() as { port: number };
    const files = s3Files({ ...place(''), endpoint: `http://127.0.0.1:${port}` });
    await expect(buffer((await files.read(key()))!)).rejects.toThrow();
    cut.close();
  });
});
