import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import tls, { type TLSSocket } from 'node:tls';
import { causeOf } from '../../outside/https/causes.ts';

export interface Certificate {
  expires: Date;
  /** Why a browser would not accept it, in words; null if it would. */
  fault: string | null;
}

export interface AskedPage {
  status: number;
  /** Whether the answer bears the marks of Turnout. */
  isOurs: boolean;
  /** What the answering machine's clock said, and ours in the middle of the exchange. */
  date: Date | null;
  at: Date;
  certificate: Certificate | null;
  body: string;
}

export interface Asking {
  /** Where the connection goes. The name is not looked up again. */
  addresses: readonly string[];
  ca?: string | undefined;
  ms: number;
  now: () => Date;
}

/** Enough for what /readyz answers. */
const BODY_BYTES = 2048;
/** Every answer of ours has one (road/router.ts). */
const REQUEST_ID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** Asks for a page once, follows nothing and reads little. The certificate is looked at and never a reason not to ask. */
export function askPage(url: URL, { addresses, ca, ms, now }: Asking): Promise<AskedPage> {
  return new Promise((resolve, reject) => {
    const isSecure = url.protocol === 'https:';
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    const began = now().getTime();
    let certificate: Certificate | null = null;
    const request = (isSecure ? https : http).request(url, {
      agent: false,
      lookup: pinned(addresses),
      maxHeaderSize: 16 * 1024,
      headers: { 'user-agent': 'turnout-doctor', accept: '*/*' },
      ...(isSecure && {
        servername: isIP(host) === 0 ? host : '',
        rejectUnauthorized: false,
        ...(ca !== undefined && { ca: [...tls.getCACertificates('default'), ca] }),
      }),
    });
    const end = (error: Error) => {
      clearTimeout(timer);
      request.destroy();
      reject(error);
    };
    const timer = setTimeout(() => end(new Error(`no answer in ${ms / 1000} s`)), ms);
    request.on('error', (error) => end(new Error(causeOf(error))));
    request.on('socket', (socket) => {
      socket.once('secureConnect', () => {
        certificate = certificateOf(socket as TLSSocket);
      });
    });
    request.on('response', (response) => {
      let body = '';
      const done = () => {
        clearTimeout(timer);
        request.destroy();
        const { date, 'x-request-id': id } = response.headers;
        const at = new Date((began + now().getTime()) / 2);
        resolve({
          ...{ status: response.statusCode!, at, certificate, body },
          isOurs: REQUEST_ID.test(String(id)),
          date: Number.isNaN(Date.parse(date ?? '')) ? null : new Date(date!),
        });
      };
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        body += chunk.slice(0, BODY_BYTES - body.length);
        if (body.length >= BODY_BYTES) done();
      });
      response.on('end', done);
      response.on('error', done);
    });
    request.end();
  });
}

function certificateOf(socket: TLSSocket): Certificate {
  const fault = socket.authorized ? null : causeOf({ code: codeOf(socket.authorizationError) });
  return { expires: new Date(socket.getPeerCertificate().valid_to), fault };
}
/** Node says `Error` in its types; it is the code as a text, or an error with a code. */
const codeOf = (error: unknown): string => (error as { code?: string } | null)?.code ?? String(error);

const pinned =
  (addresses: readonly string[]): LookupFunction =>
  (_host, { all }, answer) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }));
    if (all) answer(null, found);
    else answer(null, found[0]!.address, found[0]!.family);
  };
