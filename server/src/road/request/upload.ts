import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import busboy from 'busboy';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Fault, invalid, Refusal, refuse } from '../../common/refusal.ts';
import type { TakesFile, Upload } from '../operation.ts';

declare module 'fastify' {
  interface FastifyRequest {
    upload: (Upload & { discard(): Promise<void> }) | null;
  }
}

const SLICE = 64 * 1024;
/** Larger files are kept on disk, not in memory. */
const IN_MEMORY = 1024 * 1024;
/**
 * A file beyond the limit is still read and dropped, up to this multiple of the limit. Otherwise its sender could not read the
 * refusal.
 */
const READ_ANYWAY = 4;
/** A second file is let through, so that the refusal can name it. */
const FORM_LIMITS = { fields: 20, files: 2, parts: 25, fieldSize: 100_000, fieldNameSize: 100 };

/** Reads bodies that are files, and forms that contain one, for the operations that take them. */
export function takeFiles(app: FastifyInstance): void {
  app.decorateRequest('upload', null);
  app.decorateRequest('field', null);
  app.addContentTypeParser(/^(text\/csv|image\/(jpeg|png|webp))/i, async (request: FastifyRequest, body: Readable) => {
    const file = fileOf(request);
    const { digest, ...upload } = await spool(body, null, file.limit);
    request.upload = upload;
    request.raw_body = digest;
  });
  app.addContentTypeParser(/^multipart\/form-data/i, async (request: FastifyRequest, body: Readable) => {
    await takeForm(request, body, fileOf(request));
  });
}

/** The file that this operation takes. An operation that takes none refuses the media type. */
function fileOf(request: FastifyRequest): TakesFile {
  const file = request.road?.operation?.file;
  if (file === undefined) return refuse('unsupported_media_type');
  const given = request.headers['content-type']!.toLowerCase();
  if (given.startsWith('multipart/') || file.mediaTypes.some((type) => given.startsWith(type))) return file;
  return refuse('unsupported_media_type', { message: `Send the file as ${waysToSend(file)}.` });
}

export const waysToSend = ({ field, mediaTypes }: TakesFile): string => {
  const types = [...mediaTypes, 'multipart/form-data'].map((type) => `\`${type}\``);
  return field === null
    ? `${types.slice(0, -1).join(', ')} or ${types.at(-1)}`
    : `${types.join(', ')} or in \`application/json\``;
};

/** Makes an upload from a text field of a JSON body. */
export function uploadOf(text: string, { limit }: TakesFile): Upload {
  const bytes = Buffer.from(text);
  if (bytes.length > limit) refuse('payload_too_large');
  return { filename: null, size: bytes.length, read: () => slices(bytes) };
}

/** Yields the bytes in slices, and lets other requests have their turn in between, as with a file on disk. */
async function* slices(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += SLICE) {
    yield bytes.subarray(at, at + SLICE);
    await nextTurn();
  }
}

type Spooled = NonNullable<FastifyRequest['upload']> & { digest: Buffer };

export async function spool(body: AsyncIterable<Buffer>, filename: string | null, limit: number): Promise<Spooled> {
  const hash = createHash('sha256');
  const held: Buffer[] = [];
  let size = 0;
  let folder: string | null = null;
  const discard = async () => {
    if (folder !== null) await rm(folder, { recursive: true, force: true });
  };
  let disk: Awaited<ReturnType<typeof open>> | null = null;
  try {
    for await (const chunk of body) {
      size += chunk.length;
      if (size > limit * READ_ANYWAY) break;
      if (size > limit) continue;
      hash.update(chunk);
      held.push(chunk);
      if (size <= IN_MEMORY) continue;
      if (disk === null) {
        folder = await mkdtemp(join(tmpdir(), 'turnout-upload-'));
        disk = await open(join(folder, 'file'), 'wx', 0o600);
      }
      await disk.writev(held.splice(0));
    }
    if (size > limit) refuse('payload_too_large');
  } catch (error) {
    await disk?.close();
    await discard();
    throw error;
  }
  await disk?.close();
  const bytes = Buffer.concat(held);
  const read = () => (folder === null ? slices(bytes) : createReadStream(join(folder, 'file')));
  return { filename, size, read, discard, digest: hash.digest() };
}

/**
 * Reads a form. One part is the file, whatever its name. The others are options: they are added to the query and checked against
 * its schema. A retry is recognized by its parts, because its boundary differs.
 */
async function takeForm(request: FastifyRequest, body: Readable, { limit }: TakesFile): Promise<void> {
  const faults: Fault[] = [];
  const fields = new Map<string, string>();
  const files: Promise<Spooled>[] = [];
  const form = begin(request);
  let parts = 0;
  /** A part without a name is identified by its position. */
  const pathOf = (name: string | undefined) => {
    const place = `parts/${parts++}`;
    return name || place;
  };
  form.on('field', (name: string | undefined, value, info) => {
    const path = pathOf(name);
    if (!name) faults.push({ path, message: 'has no name' });
    else if (info.valueTruncated || info.nameTruncated) faults.push({ path, message: 'is too long' });
    else if (fields.has(name)) faults.push({ path, message: 'was sent twice; send it once' });
    else fields.set(name, value);
  });
  form.on('file', (name: string | undefined, part, info) => {
    const path = pathOf(name);
    const spooled = spool(part, info.filename ?? null, limit);
    spooled.catch((error) => form.destroy(error));
    files.push(spooled);
    if (files.length > 1) faults.push({ path, message: 'is a second file; send only one' });
  });
  for (const event of ['partsLimit', 'fieldsLimit', 'filesLimit'] as const) {
    form.on(event, () =>
      faults.push({
        path: '',
        message: `the form has too many parts; send at most ${FORM_LIMITS.fields} fields and one file`,
      }),
    );
  }
  try {
    await pipeline(body, form).catch((error) => {
      throw error instanceof Refusal ? error : unreadable(error as Error);
    });
    const [file] = await Promise.all(files);
    if (file === undefined) faults.push({ path: 'file', message: 'is required: send a part with the file' });
    // The object has no prototype, because a field may be called `__proto__`.
    const query: Record<string, unknown> = Object.assign(Object.create(null), request.query);
    for (const [name, value] of fields) {
      if (name in query) faults.push({ path: name, message: 'is both in the query and in the form; send it once' });
      query[name] = value;
    }
    if (faults.length > 0 || file === undefined) return invalid(...faults);
    const { digest, ...upload } = file;
    request.query = query;
    request.upload = upload;
    request.raw_body = Buffer.from(JSON.stringify([[...fields].sort(), upload.filename, digest.toString('hex')]));
  } catch (error) {
    for (const file of await Promise.allSettled(files)) if (file.status === 'fulfilled') await file.value.discard();
    throw error;
  }
}

function begin(request: FastifyRequest): busboy.Busboy {
  try {
    return busboy({
      headers: request.headers,
      defParamCharset: 'utf8',
      limits: FORM_LIMITS,
    });
  } catch (error) {
    throw unreadable(error as Error);
  }
}

const unreadable = (error: Error): Refusal =>
  new Refusal('validation_failed', { details: [{ path: '', message: `the form cannot be read: ${error.message}` }] });
