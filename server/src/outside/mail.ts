import { mkdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import nodemailer from 'nodemailer';
import { displayName, fileName, headerValue, requireAddress, subjectLine } from './mail-headers.ts';

export interface OutgoingMail {
  id: string;
  to: string;
  toName: string | null;
  subject: string;
  text: string;
  html: string | null;
  attachments: { filename: string; contentType: string; base64: string; cid?: string }[];
  headers?: Record<string, string>;
}

export interface MailTransport {
  /** Where mails go, for the start-up text. */
  describe: string;
  send(mail: OutgoingMail): Promise<void>;
  /** Removes what it has kept of a mail; missing where it keeps nothing. */
  forget?(id: string): Promise<void>;
  close(): void;
}

declare module '../road/operation.ts' {
  interface Outside {
    mail: Pick<MailTransport, 'forget'>;
  }
}

const message = (from: string, mail: OutgoingMail) => ({
  from,
  to: { name: displayName(mail.toName ?? ''), address: requireAddress(mail.to) },
  subject: subjectLine(mail.subject),
  text: mail.text,
  ...(mail.html !== null && { html: mail.html }),
  // The same for every attempt: a receiver that got it twice can tell.
  messageId: `<${mail.id}@turnout>`,
  headers: Object.fromEntries(Object.entries(mail.headers ?? {}).map(([name, value]) => [name, headerValue(value)])),
  attachments: mail.attachments.map(({ base64, filename, ...attachment }) => ({
    ...attachment,
    filename: fileName(filename),
    content: Buffer.from(base64, 'base64'),
  })),
});

/** Well under the lease of a claimed mail: an attempt that hangs must be over before another worker takes it up. */
const PATIENCE = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 60_000 };

/** One for each mail that is on the wire at once (work/mails.ts): none waits for another's connection. */
const CONNECTIONS = 12;

export function smtpTransport(url: string, from: string): MailTransport {
  const transport = nodemailer.createTransport({ url, pool: true, maxConnections: CONNECTIONS, ...PATIENCE } as never);
  return {
    describe: `sent through ${new URL(url).host}`,
    send: async (mail) => {
      await transport.sendMail(message(from, mail));
    },
    close: () => transport.close(),
  };
}

/** Without SMTP mails are files that any mail program opens, so that nothing is lost and nobody is written to by mistake. */
export function fileTransport(folder: string, from: string): MailTransport {
  const transport = nodemailer.createTransport({ streamTransport: true, buffer: true });
  const fileOf = (id: string): string => join(folder, `${id}.eml`);
  return {
    describe: `not sent but written to ${folder} (set SMTP_URL to send them)`,
    send: async (mail) => {
      const { message: bytes } = await transport.sendMail(message(from, mail));
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(fileOf(mail.id), bytes as Buffer);
    },
    forget: (id) => rm(fileOf(id), { force: true }),
    close: () => transport.close(),
  };
}
