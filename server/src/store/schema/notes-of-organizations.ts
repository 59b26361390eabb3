import type { Section } from './note.ts';

export const INSTALLATION: Section = {
  title: 'The installation',
  tables: {
    installation: {
      about: 'A single row about this installation.',
      columns: {
        sole: 'Always true, so that there is one row at most.',
        secret_check: 'Shows whether SECRET_KEY is still the one that this database was encrypted with.',
        license_id: 'The license whose revocation was noticed last. Read and written by older builds only.',
      },
    },
    license_revocations: {
      about:
        'Licenses that were revoked. A revoked license stays revoked, also if LICENSE_KEY is removed or set to an older one.',
    },
    migrations: {
      about:
        'The migrations that were applied, each with the SHA-256 of its file. Every start compares them with the files.',
    },
    partitioned: {
      about: 'Tables with one partition a month, and how long each keeps its rows (`keep_partitions`).',
    },
    rate_windows: {
      about:
        'How many calls each API key has made in its current minute, where several processes share one budget without Redis. A crash may ' +
        'lose it without harm, so it is unlogged.',
    },
  },
};

export const ACTORS: Section = {
  title: 'Organizations and who acts for them',
  tables: {
    plans: { about: 'What each plan includes. Written at every start from packages/contract/src/plans.ts.' },
    organizations: {
      about: 'Organizations. All other tables of an organization refer to it by `org_id`.',
      columns: {
        limits: "Limits agreed with this organization, which replace the plan's.",
        terminology: "The organization's own words for attendee, event and so on.",
        groups_version:
          'Grows with every change of the tree of groups, so that a process knows whether its copy of the tree is current.',
        currency: 'The currency that new events begin with.',
        page_host: "The proved host at whose root the organization's pages are; null: they are below /o/{code}.",
      },
    },
    tenant_hosts: {
      about:
        'Hosts of organizations, at whose root their registration pages are. Any organization may claim a host; one can have proved it.',
      columns: {
        token: 'What the TXT record must say. Everybody can read it in DNS.',
        state: 'What moves it is listed above areas/hosts/check.ts.',
        found: 'What the last look at the record has found.',
      },
    },
    org_clocks: {
      about:
        'The clock of an organization. It stamps groups, events, contacts and webhook endpoints (store/clocks.ts).',
      columns: {
        erasures:
          'How many people of the organization were erased. Work that has read people and stores a copy of them compares this ' +
          'number before and after.',
      },
    },
    groups: {
      about: 'The groups of an organization, a tree.',
      columns: {
        path: 'The ids from the top of the tree down to and including this group. The subtree of a group is every group that has it in its path.',
      },
    },
    api_keys: {
      about: 'The keys with which programs call the API.',
      columns: {
        hash: 'SHA-256 of the key. The key itself is shown once and not stored.',
        group_id: 'If set, the key reaches this group and its subtree only.',
        created_by: 'The member who made it. Null: the operator. The member may have left.',
        last_used_at: 'Exact to a minute.',
      },
    },
    accounts: {
      about: 'People who sign in. The role of an organization reads only who its own members are.',
      columns: {
        email_proved_at:
          'When somebody last proved, by a link that came by mail or by OpenID Connect, that the address is theirs.',
        password_hash: 'argon2id, as a PHC string.',
        totp_secret: 'Encrypted with the secret of the installation.',
        totp_step: 'The last time step whose code was used, because a code works once.',
        sandbox: 'The made-up manager of the sandbox, whom anybody with the printed link may be.',
      },
    },
    account_sessions: {
      about: 'Where people are signed in.',
      columns: {
        hash: 'SHA-256 of the token in the cookie.',
        proved_at: 'When the person last proved who they are.',
        expires_at: 'The latest end, however often the session is used.',
      },
    },
    account_passkeys: { about: 'Passkeys, with which people sign in.' },
    account_recovery_codes: { about: 'Codes that replace the authenticator app, each of which works once.' },
    account_identities: { about: 'Who an account is at a provider of OpenID Connect.' },
    account_links: {
      about:
        'Links that sign somebody in or prove an address. They work once; the link of the sandbox works until it expires.',
      columns: { hash: 'SHA-256 of the token in the link.', email: 'The address that the link was sent to.' },
    },
    sign_in_steps: {
      about:
        'A sign-in that is under way in one browser: what was proved so far, and what the next step has to answer.',
      columns: { hash: 'SHA-256 of the cookie.', data: 'Encrypted.' },
    },
    sign_in_tries: {
      about: 'Failed tries to sign in, by the hash of what is throttled: an address, a known browser, a PIN.',
    },
    members: {
      about: 'Accounts in an organization, each with a role and perhaps a group.',
      columns: {
        pin_hash: 'The PIN of the door: argon2id over an HMAC with the secret of the installation.',
        last_seen_at: 'When the member last used this organization, written at most every five minutes.',
      },
    },
    invitations: {
      about: 'Who was invited into an organization.',
      columns: {
        mailed_hash: 'SHA-256 of the token that was mailed. It proves the address.',
        copied_hash: 'SHA-256 of the token that was shown to be copied. It does not prove the address.',
      },
    },
    api_usage: {
      about: 'Calls of the API per calendar month, and when the owners were warned at 80 % and 100 % of the allowance.',
    },
    sandbox_usage: {
      about:
        'How many bytes, by an estimate, were written to the sandbox since it last started over. Only the sandbox has a row.',
    },
    test_mails: {
      about: 'How many test mails an organization has sent in the hour that began with the first of them.',
    },
    mail_counts: {
      about: 'How many mails of one kind an organization has sent in the hour that began with the first of them.',
    },
    proven_addresses: {
      about:
        'Addresses whose owner has shown to the organization that they read its mails, as hashes. Removed when the person is erased.',
    },
    stranger_mails: {
      about:
        'The mails of the last day that strangers caused to an address that is not proven, which is kept as a hash.',
      columns: {
        sent: 'When each of them was let through, oldest first.',
        over_at: 'After this the row says nothing any more, and is swept.',
      },
    },
    unsubscribed: {
      about:
        'Addresses that want no more news from an organization, as hashes: the wish outlives the erasure of the person.',
    },
    platform_connections: {
      about: "An organization's account on another ticketing platform, from which attendees are imported.",
      columns: {
        account_id: 'As the platform knows it. Connecting the same account again replaces the token.',
        token: 'Encrypted (secrets.ts).',
      },
    },
  },
};

export const ROAD: Section = {
  title: 'What the road writes with every change',
  tables: {
    idempotency: {
      about: 'Answers to requests with an Idempotency-Key, kept for 24 hours. Written in the transaction of the work.',
      columns: {
        fingerprint: 'Of method, address and body: another request with the same key is refused.',
        encrypted: 'Whether the answer showed a secret and is therefore encrypted.',
        kept_in: 'For a scan: where its answer is stored, instead of a second copy here.',
      },
    },
    audit_log: { about: 'Who did what. Each row is written in the transaction of the change.' },
    audit_objects: {
      about:
        'Audit rows by what else they touched beside the object that they are about: an endpoint by the delivery that was sent again. ' +
        'Attendees, tickets and payments are found by their registration and have no row here.',
      columns: { id: 'Of the row in audit_log.' },
    },
    outbox: {
      about:
        'What happened and has not been handed to webhooks yet. Written in the transaction of the change; the relay takes rows off.',
      columns: {
        head: 'The beginning of the envelope up to its data, so that the row goes from table to table without passing through Node.',
        held: 'If the data tells of people of several groups: which part is about whom. An endpoint of one group gets only its part.',
      },
    },
    mails: {
      about:
        'Mails, from the moment they are queued. A mail about a registration is rendered when it is sent, from what was true when it was queued.',
      columns: {
        status:
          '`held`: the recipient has had as many as strangers may cause, so it waits to be summed up with others.',
        bulk: 'One of many that say the same. It waits behind other mails of the organization.',
        data: 'What it is rendered from, unless `content_id` names it.',
        content_id: 'If null, the content is in `data`, or written out in `subject`, `text` and `html`.',
        erased_attempts:
          'How many attempts had begun when a person in the mail was erased: the files that they left are removed.',
      },
    },
    mail_contents: {
      about: 'What the mails about one registration from one commit have in common, stored once for all of them.',
    },
    files_to_remove: {
      about:
        'Files that nobody may read any more. They are removed after the commit that says so; the worker looks every minute.',
    },
    jobs: {
      about:
        'Background work: one row is the queue, the progress and the record of a job (docs/decisions/0020-jobs.md).',
      columns: {
        group_id:
          'No foreign key: a job limited to a group that is deleted meanwhile must not become one of the whole organization.',
        format: 'What `input` and `state` look like (docs/internals/formats.md).',
        input: 'What the job works from, with `source`. Emptied when it ends.',
        state: 'Where it goes on after an interruption. Emptied when it ends.',
        about: 'What it was started with, as its list shows it. Kept when it ends.',
        files: 'What can be downloaded until `expires_at`.',
        runner: 'The process that runs it, until `lease_until` unless it renews the lease.',
        attempts: 'Runs in a row that made no progress.',
      },
    },
    bulk_items: {
      about:
        'Whom a bulk action is about, fixed when it starts, in the order in which they are handled. Holds no personal data: a report reads ' +
        'the people themselves. Removed when the job is over.',
      columns: {
        object_id: 'A registration or an attendee.',
        ticket_id: 'For actions on tickets; null there if the attendee has no valid ticket.',
      },
    },
    import_rejects: {
      about: 'Rows of an imported file that were left out, by their number in the file and with the reason.',
    },
    import_previews: {
      about:
        'Attendees as the preview of an import would leave them: new ones, and changed ones in place of those of the event.',
    },
  },
};
