import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError } from './config-error.ts';

/** Where files are kept: in a folder, or in a bucket. */
export type FilesPlace = { folder: string } | S3Place;

export interface S3Place {
  bucket: string;
  /** In front of every key: empty, or with a slash at the end. */
  prefix: string;
  region: string;
  /** The address of a store that is not Amazon's. */
  endpoint?: string;
  /** Whether the bucket is the first part of the path, and not of the host. */
  pathStyle: boolean;
  encryption?: { kind: 'AES256' | 'aws:kms'; key?: string };
}

/** Reads FILES_URL: the path of a folder, `file:///…`, or `s3://bucket/prefix?…`. */
export function filesPlace(value: string, defaultRegion = 'us-east-1'): FilesPlace {
  if (!/^[a-z][a-z0-9+.-]*:/i.test(value)) return { folder: resolve(value) };
  if (/^file:\/\/\//.test(value)) return { folder: fileURLToPath(value) };
  const url = value.startsWith('s3://') ? URL.parse(value) : null;
  if (url === null || url.hostname === '')
    throw new ConfigError(
      'FILES_URL must be the path of a folder, its address (file:///…), or a bucket (s3://bucket/prefix?region=…).',
    );
  if (url.username !== '')
    throw new ConfigError(
      'FILES_URL must not contain credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead.',
    );
  const prefix = decodeURIComponent(url.pathname).replace(/^\/|\/$/g, '');
  return {
    bucket: url.hostname,
    prefix: prefix === '' ? '' : `${prefix}/`,
    ...settingsOf(url.searchParams, defaultRegion),
  };
}

const SETTINGS = ['region', 'endpoint', 'path_style', 'encryption', 'kms_key'];

function settingsOf(given: URLSearchParams, defaultRegion: string): Omit<S3Place, 'bucket' | 'prefix'> {
  for (const name of given.keys())
    if (!SETTINGS.includes(name))
      throw new ConfigError(`FILES_URL: ${name} is no setting of a bucket. There are: ${SETTINGS.join(', ')}.`);
  const endpoint = given.get('endpoint');
  if (endpoint !== null && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ''))
    throw new ConfigError('FILES_URL: endpoint must be an address such as https://s3.example.org.');
  const kind = given.get('encryption');
  if (kind !== null && kind !== 'AES256' && kind !== 'aws:kms')
    throw new ConfigError('FILES_URL: encryption must be AES256 or aws:kms.');
  const key = given.get('kms_key');
  if (key !== null && kind !== 'aws:kms') throw new ConfigError('FILES_URL: kms_key needs encryption=aws:kms.');
  const style = given.get('path_style');
  if (style !== null && style !== 'true' && style !== 'false')
    throw new ConfigError('FILES_URL: path_style must be true or false.');
  return {
    region: given.get('region') ?? defaultRegion,
    ...(endpoint !== null && { endpoint }),
    // Stores that are not Amazon's seldom have a host for each bucket.
    pathStyle: style === null ? endpoint !== null : style === 'true',
    ...(kind !== null && { encryption: { kind, ...(key !== null && { key }) } }),
  };
}
