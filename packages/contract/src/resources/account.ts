import Type from 'typebox';
import { ROLES } from '../access.ts';
import { Body, Code, Email, Name, Nullable, OneOf, Text, Timestamp, Timezone, Ulid } from '../formats.ts';
import { ACCOUNT_LANGUAGES } from '../languages.ts';

/** What people see and send around signing in. An account is a person; nothing here belongs to one organization. */

/** 43 characters of base64url: 256 random bits. */
const Token = () => Type.String({ pattern: '^[A-Za-z0-9_-]{43}$', maxLength: 43, description: 'From the link.' });
const Password = () => Type.String({ minLength: 1, maxLength: 1000, description: 'At least 12 characters.' });
const AccountLanguage = () =>
  OneOf(ACCOUNT_LANGUAGES, { description: 'The language of the app and of mails to this person.' });

export const SignInMethods = Type.Object({
  oidc: Nullable(
    Type.Object(
      {
        name: Type.String({
          description: 'What the button says: `OIDC_NAME`, else the host of the provider.',
          examples: ['login.example.org'],
        }),
      },
      { description: 'Single sign-on by OpenID Connect. Null: this installation has none.' },
    ),
  ),
  signup: OneOf(['open', 'invited'], { description: 'Whether anybody may make an organization.' }),
  sandbox: Type.Boolean({ description: 'Whether this installation has a sandbox with made-up people.' }),
});
export type SignInMethods = Type.Static<typeof SignInMethods>;

export const SignedIn = Type.Object({
  status: OneOf(['signed_in', 'second_factor'], {
    description: '`second_factor`: the code of the authenticator app, or a recovery code, is asked next.',
  }),
  organization: Nullable(
    Type.String({
      description: 'Code of the organization to go to. Null: choose one of the account’s, or none is there.',
    }),
  ),
  /** Set when the address was proved for the first time and what was set before was therefore removed. */
  cleared: Type.Boolean({
    description:
      'The address was proved for the first time just now, so a password, passkeys and a second factor that were set before are gone.',
  }),
});
export type SignedIn = Type.Static<typeof SignedIn>;

export const PasswordSignIn = Body({ email: Email(), password: Password() });
export const SecondFactorSignIn = Body({
  code: Text(40, { description: 'Six digits of the authenticator app, or a recovery code.' }),
});
export const EmailOnly = Body({ email: Email() });
export const TokenOnly = Body({ token: Token() });
/**
 * What the browser's own interface gives (`PublicKeyCredential.toJSON()`), as far as it is read: at most 16 KB. Browsers send more
 * fields, and new versions of them others; those are ignored.
 */
const Bytes = (most: number, description: string) =>
  Type.String({
    minLength: 1,
    maxLength: most,
    pattern: '^[A-Za-z0-9_-]+$',
    description: `${description} In base64url.`,
  });
const Open = <T extends Type.TProperties>(properties: T) =>
  Type.Object(properties, { maxProperties: 20, propertyNames: { maxLength: 100 } });
const credential = <T extends Type.TProperties>(response: T) =>
  Open({
    id: Bytes(1400, 'The credential.'),
    rawId: Bytes(1400, 'The same.'),
    type: OneOf(['public-key']),
    response: Open({ clientDataJSON: Bytes(4000, 'What the browser did.'), ...response }),
  });
export const PasskeyAssertion = credential({
  authenticatorData: Bytes(2000, 'What the authenticator says.'),
  signature: Bytes(4000, 'Over both.'),
  userHandle: Type.Optional(Nullable(Bytes(100, 'The account.'))),
});
export type PasskeyAssertion = Type.Static<typeof PasskeyAssertion>;
export const PasskeyAttestation = credential({
  attestationObject: Bytes(8000, 'The public key.'),
  transports: Type.Optional(Type.Array(Text(32), { maxItems: 10 })),
});
export type PasskeyAttestation = Type.Static<typeof PasskeyAttestation>;
export const PasskeySignIn = Body({ credential: PasskeyAssertion });
export const PasskeyOptions = Type.Object({
  options: Type.Unknown({ description: 'For the browser’s own interface, as JSON.' }),
});
export const PasskeyAdd = Body({ credential: PasskeyAttestation, name: Name(100, { example: 'Ada’s phone' }) });
export const PasskeyChange = Body({ name: Name(100, { example: 'Ada’s phone' }) });

/** Where the screen of an invitation leads the browser for single sign-on: an address of the provider. */
export const OidcStarted = Type.Object({ location: Type.String({ description: 'Where the browser goes next.' }) });

/** Single sign-on that did not work comes back to `/app/-/sign-in?error=CODE` with one of these. */
export const OIDC_ERRORS = [
  /** The provider cannot be reached, is set up wrongly, or this installation has none. */
  'oidc_unavailable',
  /** The person cancelled at the provider, or the provider does not let them in. */
  'oidc_cancelled',
  /** Took longer than ten minutes, was finished before, or was begun in another browser. */
  'oidc_step_over',
  /** What the provider sent was not accepted. */
  'oidc_failed',
  /** The provider does not say that the address is the person's, so no account can be found by it. */
  'oidc_email_not_verified',
  /** The address has an account here that was never proved: sign in by a mail link first. */
  'oidc_address_not_proved',
  /** Nobody with this address has an account here. */
  'oidc_no_account',
  /** The invitation is for another address than the provider's. */
  'oidc_other_address',
] as const;
export type OidcError = (typeof OIDC_ERRORS)[number];

export const StartOffer = Type.Object({
  first: Type.Boolean({ description: 'This makes the first organization of the installation.' }),
  email: Nullable(
    Type.String({ description: 'The address that the link was mailed to, which the account will have.' }),
  ),
});
export type StartOffer = Type.Static<typeof StartOffer>;
export const StartOrganization = Body({
  token: Token(),
  organization: Body({
    code: Code('The organization’s code, part of its addresses.', 'acme'),
    name: Name(200, { example: 'Acme Events' }),
    timezone: Timezone(),
  }),
  name: Name(200, { example: 'Ada Lovelace' }),
  email: Email(),
  language: Type.Optional(AccountLanguage()),
  password: Type.Optional(Password()),
});

export const InvitationOffer = Type.Object({
  organization: Type.Object({ code: Type.String(), name: Type.String() }),
  email: Type.String(),
  role: OneOf(ROLES),
  group: Nullable(Type.String({ description: 'Name of the group that the member will be limited to.' })),
  invited_by: Nullable(Type.String()),
  expires_at: Timestamp(),
  account: OneOf(['none', 'other', 'signed_in', 'unproved', 'joins'], {
    description:
      '`none`: a new account is made. `signed_in`: you are signed in with the invited address. `other`: you are signed in with another address; sign out first. `joins`: the mailed link signs in to the account that the address has. `unproved`: you have the copied link, which does not prove the address, so you are not told whether the address has an account; sign in with it, or make one.',
  }),
});
export type InvitationOffer = Type.Static<typeof InvitationOffer>;
export const InvitationAccept = Body({
  token: Token(),
  name: Type.Optional(Name(200, { example: 'Ada Lovelace' })),
  language: Type.Optional(AccountLanguage()),
  password: Type.Optional(Password()),
});

export const Passkey = Type.Object({
  id: Ulid('The passkey.'),
  name: Type.String(),
  created_at: Timestamp(),
  last_used_at: Nullable(Timestamp()),
});
export type Passkey = Type.Static<typeof Passkey>;

export const Account = Type.Object({
  id: Ulid('The account.'),
  email: Type.String(),
  email_proved: Type.Boolean(),
  name: Type.String(),
  language: AccountLanguage(),
  sandbox: Type.Boolean({ description: 'The made-up manager of the sandbox, whose account cannot be changed.' }),
  has_password: Type.Boolean(),
  totp: Type.Boolean({ description: 'Whether an authenticator app is set up.' }),
  recovery_codes_left: Type.Integer(),
  passkeys: Type.Array(Passkey),
  identities: Type.Array(Type.Object({ issuer: Type.String(), created_at: Timestamp() })),
  session: Type.Object({
    id: Ulid('The session.'),
    method: OneOf(['password', 'mail', 'passkey', 'oidc', 'link', 'sandbox']),
    second_factor: Type.Boolean(),
    proved_until: Timestamp('Until then, no further proof is asked for.'),
  }),
  organizations: Type.Array(
    Type.Object({
      id: Ulid('The organization.'),
      code: Type.String(),
      name: Type.String(),
      accent: Nullable(Type.String({ examples: ['#0b6e66'] })),
      role: OneOf(ROLES),
      group: Nullable(Type.String()),
      second_factor_missing: Type.Boolean({
        description: 'The organization requires a second factor, and this session has none.',
      }),
    }),
  ),
});
export type Account = Type.Static<typeof Account>;
export const AccountChange = Body(
  { name: Type.Optional(Name(200, { example: 'Ada Lovelace' })), language: Type.Optional(AccountLanguage()) },
  { minProperties: 1 },
);
export const PasswordChange = Body({ password: Password() });

export const TotpOffer = Type.Object({
  secret: Type.String({ description: 'Base32, to be typed.', examples: ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'] }),
  uri: Type.String({
    description: 'The same for a QR code.',
    examples: ['otpauth://totp/Turnout:ada@example.org?secret=…'],
  }),
  qr: Type.String({ description: 'The QR code as an SVG path, with its size.', examples: ['M0 0h7v1h-7z'] }),
  qr_size: Type.Integer(),
});
export const TotpConfirm = Body({ code: Type.String({ pattern: '^\\d{6}$', maxLength: 6 }) });
export const RecoveryCodes = Type.Object({
  recovery_codes: Type.Array(Type.String(), { description: 'Each works once. They are shown only now.' }),
});

export const Session = Type.Object({
  id: Ulid('The session.'),
  current: Type.Boolean(),
  method: OneOf(['password', 'mail', 'passkey', 'oidc', 'link', 'sandbox']),
  second_factor: Type.Boolean(),
  browser: Nullable(Type.String({ examples: ['Firefox on Linux'] })),
  address: Nullable(Type.String({ examples: ['192.0.2.7'] })),
  created_at: Timestamp(),
  last_used_at: Timestamp(),
  expires_at: Timestamp(),
});
export type Session = Type.Static<typeof Session>;
export const SessionList = Type.Object({ data: Type.Array(Session) });

export const ClientError = Body({
  message: Text(1000),
  stack: Type.Optional(Text(8000, { min: 0 })),
  screen: Type.Optional(Text(500, { min: 0, description: 'The path of the address, without its query.' })),
  request_id: Type.Optional(Text(60, { min: 0 })),
});
