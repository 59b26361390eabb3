import { mkdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import nodemailer from 'nodemailer';
import { displayName, fileName, headerValue, isAddress, requireAddress, subjectLine } from './mail-headers.ts';

export interface OutgoingMail {
  id: string;
  to: string;
  toName: string | null;
  /** What people read as the sender, before the address of the installation. Without it, the installation's own name. */
  fromName?: string | null;
  subject: string;
  text: string;
  html: string | null;
  attachments: { filename: string; contentType: string; base64: string; cid?: string }[];
  headers?: Record<string, string>;
}

export interface MailTransport {
  /** Says where mails go, for the text at the start. */
  describe: string;
  send(mail: OutgoingMail): Promise<void>;
  /** Deletes the copy that it keeps of a mail. Missing if it keeps none. */
  forget?(id: string): Promise<void>;
  close(): void;
}

declare module '../road/operation.ts' {
  interface Outside {
    mail: Pick<MailTransport, 'forget'>;
  }
}

/** `Name <address>`, or an address alone. */
const addressOf = (from: string): string => (/<([^<>]*)>\s*$/.exec(from)?.[1] ?? from).trim();

/** The installation's address, with the name of whoever the mail is from. A name of which nothing is left changes nothing. */
function senderOf(from: string, fromName: string | null | undefined): string | { name: string; address: string } {
  const [name, address] = [displayName(fromName ?? ''), addressOf(from)];
  return name === '' || !isAddress(address) ? from : { name, address };
}

const message = (from: string, mail: OutgoingMail) => ({
  from: senderOf(from, mail.fromName),
  to: { name: displayName(mail.toName ?? ''), address: requireAddress(mail.to) },
  subject: subjectLine(mail.subject),
  text: mail.text,
  ...(mail.html !== null && { html: mail.html }),
  // The same for every attempt, so that a receiver recognizes a mail that arrives twice.
  messageId: `<${mail.id}@turnout>`,
  headers: Object.fromEntries(Object.entries(mail.headers ?? {}).map(([name, value]) => [name, headerValue(value)])),
  attachments: mail.attachments.map(({ base64, filename, ...attachment }) => ({
    ...attachment,
    filename: fileName(filename),
    content: Buffer.from(base64, 'base64'),
  })),
});

/** Well below the lease of a claimed mail: an attempt that hangs must end before another worker may claim the mail. */
const PATIENCE = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 60_000 };

/** As many as mails are sent at once (work/mails.ts), so that none waits for a connection. */
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

/**
 * Without SMTP, mails are written to files that any mail program opens: nothing is lost, and nobody gets a mail by mistake.
 */
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
