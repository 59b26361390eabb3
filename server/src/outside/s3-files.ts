import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
  type S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { FilesAway } from '../common/files-away.ts';
import type { S3Place } from '../common/files-place.ts';
import { inTime } from '../common/in-time.ts';
import { type Files, isKey, PART, requireKey } from './files.ts';

/** Two parts of this size are in memory for each file that is being written. */
const PART_SIZE = 8 * 1024 * 1024;
const PARTS_AT_ONCE = 2;
/** How long an answer is waited for, and each next piece of a file. */
const ANSWER_MS = 30_000;
const MARK = 'turnout-files';

/**
 * Files in a bucket. A file is written in parts, and S3 itself shows it whole or not at all. What a killed process left behind is listed
 * as an unfinished file.
 */
export function s3Files(place: S3Place): Files {
  const { bucket: Bucket, prefix, encryption } = place;
  const client = new S3Client({
    region: place.region,
    ...(place.endpoint !== undefined && { endpoint: place.endpoint }),
    forcePathStyle: place.pathStyle,
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 3_000, requestTimeout: ANSWER_MS, throwOnRequestTimeout: true },
    // The newer checksums are unknown to many stores that are not Amazon's. TLS protects what is on its way.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const at = (key: string) => ({ Bucket, Key: `${prefix}${requireKey(key)}` });
  const markAt = { Bucket, Key: `${prefix}${MARK}` };
  const keyOf = (name = ''): string => name.slice(prefix.length);
  const encrypted = encryption && {
    ServerSideEncryption: encryption.kind,
    ...(encryption.key !== undefined && { SSEKMSKeyId: encryption.key }),
  };
  const readMark = async (): Promise<string | null> => {
    const found = await unlessMissing(client.send(new GetObjectCommand(markAt)));
    return found && found.Body!.transformToString();
  };
  async function* unfinished(Prefix: string): AsyncGenerator<{ Key: string; UploadId: string }> {
    let from = {};
    for (;;) {
      const page = await served(client.send(new ListMultipartUploadsCommand({ Bucket, Prefix, ...from })));
      for (const { Key, UploadId } of page.Uploads ?? []) yield { Key: Key!, UploadId: UploadId! };
      if (page.IsTruncated !== true) return;
      from = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
    }
  }
  const abandon = async (key: string): Promise<boolean> => {
    const { Key: own } = at(key);
    let found = false;
    for await (const { Key, UploadId } of unfinished(own)) {
      if (Key !== own) continue;
      await unlessMissing(client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })));
      found = true;
    }
    return found;
  };
  return {
    write: async (key, chunks) => {
      let size = 0;
      let fault: unknown;
      const counted = async function* () {
        try {
          for await (const chunk of chunks) {
            size += chunk.byteLength;
            yield chunk;
          }
        } catch (error) {
          fault = error;
          throw error;
        }
      };
      const upload = new Upload({
        client,
        params: { ...at(key), ...encrypted, Body: Readable.from(counted(), { objectMode: false }) },
        partSize: PART_SIZE,
        queueSize: PARTS_AT_ONCE,
      });
      await upload.done().catch((error) => {
        throw fault ?? away(error);
      });
      return size;
    },
    read: async (key, from = 0) => {
      const command = new GetObjectCommand({ ...at(key), ...(from > 0 && { Range: `bytes=${from}-` }) });
      const found = await unlessMissing(client.send(command).catch(emptyBeyondEnd));
      return found && Readable.from(unlessStalled(found.Body as Readable), { objectMode: false });
    },
    delete: async (key) => {
      if (key.endsWith(PART)) return abandon(key.slice(0, -PART.length));
      // A deletion does not say whether there was anything.
      const found = await unlessMissing(client.send(new HeadObjectCommand(at(key))));
      if (found !== null) await served(client.send(new DeleteObjectCommand(at(key))));
      return found !== null;
    },
    list: async function* () {
      const pages = paginateListObjectsV2({ client }, { Bucket, Prefix: prefix });
      for (;;) {
        const { done, value } = await served(pages.next());
        if (done === true) break;
        for (const { Key } of value.Contents ?? []) if (isKey(keyOf(Key))) yield keyOf(Key);
      }
      for await (const { Key } of unfinished(prefix)) if (isKey(keyOf(Key))) yield `${keyOf(Key)}${PART}`;
    },
    mark: async (ifNone) => {
      const put = new PutObjectCommand({ ...markAt, ...encrypted, Body: ifNone, IfNoneMatch: '*' });
      await client.send(put).catch((error) => {
        // Another process was first.
        if (![409, 412].includes(statusOf(error) ?? 0)) throw away(error);
      });
      return (await readMark())!;
    },
    readMark,
    describe: `in the bucket ${Bucket}${prefix === '' ? '' : `, under ${prefix}`}${place.endpoint === undefined ? '' : `, at ${place.endpoint}`}`,
    close: () => client.destroy(),
  };
}

const statusOf = (error: unknown): number | undefined =>
  (error as S3ServiceException | undefined)?.$metadata?.httpStatusCode;

function away(error: unknown): FilesAway {
  const status = statusOf(error) ?? 0;
  return new FilesAway(error, (status >= 300 && status < 500) || (error as Error).name === 'CredentialsProviderError');
}

const served = <T>(asked: Promise<T>): Promise<T> =>
  asked.catch((error) => {
    throw away(error);
  });

/** A bucket that does not exist is no missing file. */
const unlessMissing = <T>(asked: Promise<T>): Promise<T | null> =>
  asked.catch((error) => {
    if (statusOf(error) === 404 && (error as Error).name !== 'NoSuchBucket') return null;
    throw away(error);
  });

/** Behind the last byte of a file there is nothing to read. That is no error in a folder, either. */
function emptyBeyondEnd(error: unknown): { Body: Readable } {
  if (statusOf(error) === 416) return { Body: Readable.from([]) };
  throw error;
}

/** Passes a file on, as fast as it is read. A store that sends nothing for a while does not serve; a slow reader may take its time. */
async function* unlessStalled(body: Readable): AsyncGenerator<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await inTime(ANSWER_MS, pieces.next());
      if (done === true) return;
      yield value;
    }
  } finally {
    body.destroy();
  }
}
