import { createPrivateKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { DAY } from '../clock.ts';
import { refuse } from '../common/refusal.ts';
import { SANDBOX_ON } from '../config.ts';
import {
  publicKeyFrom,
  readLicense,
  readRevocation,
  recordRevocation,
  signLicense,
  signRevocation,
} from '../road/gate/license.ts';
import { migrations } from '../store/migrate.ts';
import { type Command, text } from './command.ts';
import { asSystem, clock, withDatabase } from './database.ts';
import type { Report } from './doctor/index.ts';
import { reportText } from './doctor/text.ts';

/** The installation itself: its sandbox, database and license. What only one of them needs is loaded when that one runs. */
export const installationCommands: Command[] = [
  {
    words: 'sandbox refresh',
    summary: 'Start the sandbox organization over',
    options: {},
    run: async (config) => {
      if (!config.sandbox) refuse('invalid_state', { message: `The sandbox is off. ${SANDBOX_ON}` });
      const { refreshSandbox } = await import('../areas/sandbox/index.ts');
      return withDatabase(config, (pool) => refreshSandbox(pool, clock));
    },
  },
  {
    words: 'cases replay',
    summary: 'Replay the golden cases: here, or with --url against a running Turnout',
    options: {
      file: { says: 'cases to replay, default the published ones' },
      url: { says: 'replay through this API, such as http://localhost:3000; builds and removes a test event' },
      key: { says: 'live key with the scopes read, write, admin, scanner' },
      'test-key': { says: 'test key with the scopes read, write, scanner' },
    },
    run: async (_config, given) => {
      const { replayCases } = await import('./cases.ts');
      return replayCases({
        file: text(given.file),
        url: text(given.url),
        key: text(given.key),
        testKey: text(given['test-key']),
      });
    },
  },
  {
    words: 'migrate',
    summary: 'Apply this build’s migrations to the database',
    options: {},
    run: (config) => withDatabase(config, async () => ({ schema: migrations().at(-1)!.name })),
  },
  {
    words: 'files adopt',
    summary: 'Go on with the store of files in FILES_URL, because the one before is lost; then restart every process',
    options: {},
    run: (config) =>
      withDatabase(config, async (pool) => {
        const { adoptFiles } = await import('../start/same-files.ts');
        const { openFiles } = await import('../outside/open-files.ts');
        const files = await openFiles(config.files);
        await adoptFiles({ files, pool, clock });
        files.close?.();
        return { files: files.describe };
      }),
  },
  {
    words: 'doctor',
    summary: 'Check the installation and say what is wrong, and what to do',
    options: {
      json: { flag: true, says: 'answer JSON' },
      patient: { flag: true, says: 'count the rows however long it takes' },
      'send-to': { says: 'also send a test mail to this address' },
    },
    run: async (config, given) => {
      const { examine } = await import('./doctor/index.ts');
      const sendTo = text(given['send-to']);
      return examine(config, { clock, patient: given.patient === true, ...(sendTo !== undefined && { sendTo }) });
    },
    text: (report: Report, given) => (given.json === true ? null : reportText(report)),
  },
  {
    words: 'license keygen',
    summary: 'Make a pair of keys for issuing licenses',
    options: { out: { required: true, says: 'file for the private key' } },
    run: async (_config, given) => {
      const { publicKey, privateKey } = generateKeyPairSync('ed25519');
      writeFileSync(text(given.out)!, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600, flag: 'wx' });
      return {
        private_key_file: text(given.out),
        public_key: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
      };
    },
  },
  {
    words: 'license issue',
    summary: 'Issue a license; set it as LICENSE_KEY of a self-hosted installation',
    options: {
      'private-key': { required: true, says: 'file of `license keygen`' },
      licensee: { required: true, says: 'who it is issued to' },
      expires: { says: 'when it expires; default: in a year' },
    },
    run: async (_config, given) => {
      const expires = new Date(text(given.expires) ?? clock.now().getTime() + 365 * DAY);
      if (Number.isNaN(expires.getTime()))
        refuse('validation_failed', { message: `${text(given.expires)} is not a time.` });
      const payload = {
        id: randomUUID(),
        licensee: text(given.licensee)!,
        issued_at: clock.now().toISOString(),
        expires_at: expires.toISOString(),
      };
      return {
        ...payload,
        license_key: signLicense(payload, createPrivateKey(readFileSync(text(given['private-key'])!))),
      };
    },
  },
  {
    words: 'license notice',
    summary: 'Issue a revocation notice for a license',
    options: {
      'private-key': { required: true, says: 'file of `license keygen`' },
      id: { required: true, says: 'id of the license' },
      at: { says: 'when it was revoked; default: now' },
    },
    run: async (_config, given) => {
      const payload = {
        license_id: text(given.id)!,
        revoked_at: new Date(text(given.at) ?? clock.now()).toISOString(),
      };
      return {
        ...payload,
        notice: signRevocation(payload, createPrivateKey(readFileSync(text(given['private-key'])!))),
      };
    },
  },
  {
    words: 'license revoke',
    argument: 'NOTICE',
    summary: 'Record a revocation notice; seven days later the installation is read-only',
    options: {},
    run: async (config, _given, notice) => {
      const key = config.licensePublicKey === undefined ? null : publicKeyFrom(config.licensePublicKey);
      const revocation = key === null ? null : readRevocation(notice ?? '', key);
      if (revocation === null)
        return refuse('validation_failed', {
          message: 'The signature of the notice does not verify with LICENSE_PUBLIC_KEY.',
        });
      return asSystem(config, async (tx) => {
        await recordRevocation(tx, revocation);
        return revocation;
      });
    },
  },
  {
    words: 'license show',
    summary: 'Show the license of this installation',
    options: {},
    run: async (config) => {
      const key = config.licensePublicKey === undefined ? null : publicKeyFrom(config.licensePublicKey);
      if (config.licenseKey === undefined) return { validity: 'missing' };
      const payload = key === null ? null : readLicense(config.licenseKey, key);
      if (payload === null) return { validity: 'does_not_verify' };
      return { validity: Date.parse(payload.expires_at) <= clock.now().getTime() ? 'expired' : 'valid', ...payload };
    },
  },
];
