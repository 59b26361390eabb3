import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { vi } from 'vitest';
import { pythonForTests } from '../../scripts/python.mjs';
import { freePort } from './running.ts';

/** An S3 store of its own, on loopback: moto's server, which keeps everything in memory. */
export interface TestS3 {
  endpoint: string;
  bucket: string;
  client: S3Client;
  /** The value of FILES_URL. */
  url(prefix: string, more?: string): string;
  /** It takes requests and answers none, until it is woken up. */
  freeze(): void;
  wake(): void;
  stop(): Promise<void>;
}

/** Whoever uses it takes the credentials from the environment, as an operator would set them. */
export const S3_CREDENTIALS = { AWS_ACCESS_KEY_ID: 'AKIATEST', AWS_SECRET_ACCESS_KEY: 'secret' };

/** Null where Python cannot be had. */
export async function startS3(): Promise<TestS3 | null> {
  const found = await pythonForTests();
  if (found === null) return null;
  for (const [name, value] of Object.entries(S3_CREDENTIALS)) vi.stubEnv(name, value);
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const server = spawn(found.python, ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
  const client = new S3Client({ region: 'us-east-1', endpoint, forcePathStyle: true });
  const bucket = 'tickets';
  await vi.waitFor(() => client.send(new CreateBucketCommand({ Bucket: bucket })), { timeout: 60_000 });
  return {
    endpoint,
    bucket,
    client,
    url: (prefix, more = '') => `s3://${bucket}/${prefix}?endpoint=${encodeURIComponent(endpoint)}${more}`,
    freeze: () => void server.kill('SIGSTOP'),
    wake: () => void server.kill('SIGCONT'),
    stop: async () => {
      client.destroy();
      server.kill('SIGKILL');
      await once(server, 'exit');
      for (const name of Object.keys(S3_CREDENTIALS)) vi.stubEnv(name, undefined);
    },
  };
}
