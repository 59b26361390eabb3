import { parseConnectionUrl } from 'nodemailer/lib/shared';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { newUlid } from '../../common/ids.ts';
import { isLoopback } from '../../config.ts';
import { smtpTransport } from '../../outside/mail.ts';
import type { Check } from './check.ts';
import { failed, messageOf, ok, type Verdict, warning } from './verdict.ts';

const LIMIT_MS = 10_000;
const PATIENCE = { connectionTimeout: 4_000, greetingTimeout: 4_000, socketTimeout: 6_000, dnsTimeout: 4_000 };

type Options = SMTPConnection.Options & { auth?: { user: string; pass: string } };

const smtp: Check = {
  name: 'smtp',
  group: 'mail',
  limitMs: LIMIT_MS,
  run: async ({ config, addresses }) => {
    const { smtpUrl, publicUrl, mailFrom } = config;
    if (smtpUrl === null) {
      if (isLoopback(new URL(publicUrl).hostname))
        return ok('SMTP_URL is not set: e-mails become files in DATA_DIR/mails.');
      return warning(
        'SMTP_URL is not set, so nobody gets an e-mail: they become files in DATA_DIR/mails.',
        'Set SMTP_URL and MAIL_FROM.',
      );
    }
    const options = { ...(parseConnectionUrl(smtpUrl) as Options), ...PATIENCE };
    try {
      await addresses(options.host!);
    } catch (error) {
      return failed(`The mail server cannot be reached: ${messageOf(error)}.`, 'Check SMTP_URL.');
    }
    const from = /@localhost>?\s*$/.test(mailFrom)
      ? [
          {
            ...warning(
              `E-mails are sent from ${mailFrom}, which other servers refuse.`,
              'Set MAIL_FROM to an address of your own domain.',
            ),
            check: 'sender',
          },
        ]
      : [];
    return [await greet(options), ...from];
  },
};

/** Connects, turns TLS on and signs in, as for a mail, and says goodbye. */
async function greet(options: Options): Promise<Verdict> {
  const connection = new SMTPConnection(options);
  const at = `${options.host}:${connection.port}`;
  const stage = { is: 'reached' };
  try {
    await new Promise<void>((resolve, reject) => {
      connection.on('error', reject);
      connection.on('end', () => reject(new Error('it closed the connection')));
      connection.connect((error) => {
        if (error) return reject(error);
        if (options.auth === undefined) return resolve();
        stage.is = 'signed in';
        connection.login(options.auth, (refused) => (refused ? reject(refused) : resolve()));
      });
    });
    const says = `The mail server at ${at} answers${connection.secure ? ' by TLS' : ''}${options.auth === undefined ? '' : ' and accepts the user'}.`;
    if (connection.secure || isLoopback(options.host!)) return ok(says);
    return warning(
      `${says} It offers no TLS, so mails${options.auth === undefined ? '' : ' and the password'} travel in clear.`,
      'Use a mail server with STARTTLS, or smtps://.',
    );
  } catch (error) {
    if (stage.is === 'signed in')
      return failed(
        `The mail server at ${at} refuses the user: ${messageOf(error)}.`,
        'Check the user and the password in SMTP_URL.',
      );
    return failed(
      `The mail server at ${at} does not serve: ${messageOf(error)}.`,
      'Check SMTP_URL, the server’s certificate, and whether this network lets mail out on that port.',
    );
  } finally {
    connection.close();
  }
}

const sent: Check = {
  name: 'test mail',
  group: 'mail',
  limitMs: 15_000,
  run: async ({ config, options, clock, addresses }) => {
    const { sendTo } = options;
    if (sendTo === undefined) return [];
    if (config.smtpUrl === null) return failed('No mail was sent, because SMTP_URL is not set.', 'Set SMTP_URL.');
    const transport = smtpTransport(config.smtpUrl, config.mailFrom);
    try {
      await addresses(new URL(config.smtpUrl).hostname);
      const text = `This is a test of the mail server by \`turnout doctor\`.\n\n${config.publicUrl}`;
      await transport.send({
        ...{
          id: newUlid(clock.now()),
          to: sendTo,
          toName: null,
          subject: 'A test of Turnout',
          text,
          html: null,
          attachments: [],
        },
      });
      return ok(`The mail server took a mail to ${sendTo}. Look whether it arrives, and not among spam.`);
    } catch (error) {
      return failed(
        `The mail server took no mail to ${sendTo}: ${messageOf(error)}.`,
        'Check MAIL_FROM, and what the mail server lets this user send.',
      );
    } finally {
      transport.close();
    }
  },
};

export const mailChecks: readonly Check[] = [smtp, sent];
