import type { Section } from './note.ts';

export const EVENTS: Section = {
  title: 'Events and their structure',
  tables: {
    events: {
      about: 'Events: when and where they are, how many people they hold and how one registers for them.',
      columns: {
        world_version:
          'Grows with every change of the structure (days, types, questions, points), so that a process knows whether its copy is current.',
        days_start_at: 'When the first day begins; shown where `starts_at` is not set (areas/events/event-times.ts).',
        days_end_at: 'When the last day ends; shown where `ends_at` is not set.',
        listed: 'Whether the event is in the public list while it is published.',
        self_service: 'Until when people may change, cancel and hand on by their link; null: not allowed.',
      },
    },
    pictures: {
      about:
        'The picture of an event or the logo of the organization, as it is shown on the registration pages (areas/pictures).',
    },
    picture_files: { about: 'The files that the server has made of a picture, each in one size.' },
    event_clocks: {
      about: 'The clock of an event. It stamps everything that belongs to the event (store/clocks.ts).',
      columns: {
        counted_at:
          'The stamp up to which people_counts, registration_counts and registered_by_day are complete. A process of an older build moves `at` alone; ' +
          'the event is then counted again.',
        unsettled_at:
          'When a check-in was last taken back or somebody changed groups, so that earlier check-ins count differently.',
      },
    },
    days: { about: 'The days of an event.' },
    attendee_types: { about: 'The types of attendees of an event: adult, child, crew.' },
    products: {
      about: 'What an event sells beside the ticket.',
      columns: { per: 'Whether each attendee takes it, or the registration as a whole.' },
    },
    quotas: { about: 'A capacity that several types, days or products share.' },
    discounts: {
      about: 'What people type to pay less, or to see hidden types.',
      columns: { code_key: 'The code as it is compared: capitals without spaces and dashes.' },
    },
    hand_outs: { about: 'What was handed out of what people booked, one row for each unit (areas/scanning).' },
    questions: { about: 'What an event asks its attendees.' },
    check_in_points: {
      about: 'Where tickets are scanned.',
      columns: { leaves_id: 'For an exit: the zone that it leads out of.' },
    },
    places: {
      about:
        'How many places are taken, and how many registrations wait, in a scope: the event (scope_id is the event), a day, a type, a product, its option or a shared limit. ' +
        "Written only under the event's clock, so that two transactions never change one row. `turnout doctor` counts again.",
    },
    people_counts: {
      about:
        "How many attendees there are, by everything a summary asks for. Written only under the event's clock, with the attendees (areas/registrations/counts.ts).",
      columns: {
        day_id: 'Null: in the whole event.',
        group_id: "Null: of the event's own group.",
        id: 'Only a key, for copying changes to another database: some of what is counted by may be empty.',
      },
    },
    registration_counts: {
      about:
        "How many registrations have an attendee in a scope. Written only under the event's clock (areas/registrations/counts.ts).",
      columns: {
        scope: "'' for the whole event, or 'type:…', 'day:…', 'group:…', 'both:…'.",
        groups:
          "The groups of these attendees, joined by commas; '-' is the event's own. A caller who reaches one of them sees the registration, " +
          'and a caller who reaches all of them also its money.',
      },
    },
    registered_by_day: {
      about:
        "How many attendees were added on each day, whatever became of them. Written only under the event's clock (areas/registrations/counts.ts).",
      columns: { date: 'In UTC.', group_id: "Null: of the event's own group." },
    },
  },
};

export const PEOPLE: Section = {
  title: 'Contacts, registrations, attendees, tickets, payments',
  tables: {
    contacts: {
      about: "The organization's address book.",
      columns: {
        name_key:
          'The `_key` columns are what people are found and matched by: the value without case, accents and extra spaces; for phones ' +
          'the digits (areas/contacts/match.ts).',
      },
    },
    contact_words: {
      about:
        'The words of a name that neither `name_key` nor `given_key` begins with ("beethoven" of "van beethoven ludwig"), for searching.',
    },
    registrations: {
      about: 'Registrations. The name, e-mail address and phone are those of the registrant.',
      columns: {
        payment_due_at: 'When the registration expires unless it is paid. Set only while it is pending_payment.',
        waitlisted_at: 'Its turn on the waitlist. Set only while it is waitlisted.',
        waiting_for: 'The event, days and types whose lack of room it waits for. Set only while it is waitlisted.',
        language: "The language of its mails; null: the event's.",
        balance_minor:
          'Positive: due; negative: in credit. A registration that holds places owes its total; one that waits or is over owes ' +
          'nothing, so that whatever was paid for it is in credit (`balanceOf` in areas/registrations/state.ts).',
      },
    },
    payment_holds: {
      about:
        'What is known of an unpaid registration beside its deadline (areas/registrations/holds.ts). Deleted when it is paid or ends.',
      columns: {
        network: 'A keyed hash of the network that the form came from. Null: it did not come from the form.',
        unproven: "Whether nobody has shown yet that they read the registrant's mails.",
        extensions: "How often the deadline was moved behind the end of the provider's payment page.",
        session: 'The payment page that was opened last, as the provider calls it. Null once its payment was reported.',
        due_before: 'The deadline before a payment was under way at the provider.',
      },
    },
    wrong_codes: {
      about:
        'Discount codes that were typed into the form and are none, in the hour that begins with the first (areas/pages/codes.ts).',
      columns: { network: 'A keyed hash of the network that the form came from.' },
    },
    duplicate_payments: {
      about:
        'Online payments for what another payment page had covered already, to be refunded (areas/registrations/duplicates.ts).',
      columns: {
        attempts: 'How often the provider was asked without success.',
        next_attempt_at: 'When it is asked again. Null: the payment was refunded, or a person has to do it.',
      },
    },
    registrant_words: {
      about:
        'For searching: every word of the name, and the e-mail address, of a registrant who is not one of the attendees.',
    },
    attendees: {
      about: 'The people of a registration, with the group, type and days of each.',
      columns: {
        status: "The registration's status, or cancelled. Kept here so that lists and scans need no join.",
        group_id: "The attendee's group, else the registration's; null: the event's.",
        external_key: '`external_id` without case, accents and extra spaces.',
        cancelled_at:
          'When this attendee was cancelled alone. Null: not, or with the registration, or before this was recorded.',
        handed_on_at: 'When the place went to another person by a link. From then on it is theirs alone.',
      },
    },
    attendee_words: { about: 'As contact_words, for attendees.' },
    former_attendees: {
      about:
        'Which contact had a place before it was handed on. Erasing that contact finds the copies of its data by this.',
      columns: { until: 'When the place was handed on.' },
    },
    answer_filters: {
      about: 'For filtering by answers: a row for each time that a question became filterable.',
      columns: {
        after_name: 'How far the answers of people who answered before have been written, in the order of names.',
        after_id: 'See after_name.',
        ended: 'No question uses the filter any more, and its rows are being removed.',
      },
    },
    attendee_answers: {
      about:
        'For filtering by answers: a row for each value, and one with an empty value for whoever has not answered.',
      columns: { name_key: "The attendee's, as is updated_at: lists are read in order from the indexes." },
    },
    tickets: {
      about:
        'What is scanned at the door. A ticket belongs to one attendee, or to several if it is shared (ticket_people).',
      columns: {
        day_ids: "Null: the attendees' own days.",
        extra: "Issued by hand in addition to what the event's ticketing gives.",
      },
    },
    ticket_people: { about: 'The attendees of a ticket: one, or several if it is shared.' },
    payments: {
      about: 'Payments, recorded by hand or told by the payment provider.',
      columns: { charged_back_minor: "What the payer's bank took back." },
    },
    platform_people: {
      about:
        'Which attendees of an event came from another platform. Nobody comes twice, however often an import runs.',
      columns: { job_id: 'The import that added the attendee. One that was interrupted knows its own rows by it.' },
    },
  },
};

export const DOOR: Section = {
  title: 'The door: devices, scans, check-ins',
  tables: {
    devices: {
      about: 'Paired scanners.',
      columns: {
        token_hash: 'SHA-256 of the token.',
        group_id: 'If set, the device reaches this group and its subtree only, as the member who paired it did.',
        unlocked_by: 'The member who has unlocked it with a PIN.',
        unlocked_pin_at: 'When that PIN was set. Another one ends it.',
        batch_flight: 'The batch that is being uploaded, if any.',
        batch_claim: 'The Idempotency-Key of that batch.',
        batch_free_at: 'From when on the next batch is accepted.',
      },
    },
    pairing_codes: {
      about: 'A member makes a short-lived code; a device exchanges it for a token once.',
      columns: {
        claim:
          'The Idempotency-Key of the device that came first. Its retries get the same answer for as long as the code is valid.',
        answer: 'Encrypted: it shows the token.',
        made_by: 'The member who made it. Null: a build before this column made it.',
      },
    },
    scans: {
      about: 'The answer to each scan, also to a refused one: a retry with the same client_uuid gets it again.',
      columns: { fingerprint: 'Of what was asked: another code or point with the same client_uuid is refused.' },
    },
    checkins: {
      about:
        'One row for each attendee and scan of a known ticket, also for a refused scan. It has no foreign keys: rows are written, and what ' +
        "they refer to is deleted, under the event's clock by code that looks first. Checking four keys took 50 of the 87 µs of an insert " +
        '(measured). `turnout doctor` looks for orphans.',
      columns: {
        seq: 'The order of recording, which decides which of two scans of the same instant came first.',
        kind: "The point's kind at the time of the scan.",
        skewed: 'Whether `scanned_at` was more than 5 minutes from our clock.',
        offline_result: 'What the device had decided while it was offline.',
        override_of: 'The refused check-in that somebody overrode with this one.',
        device_id: 'The scanner at which a member overrode it. For scans by a device, see `actor_id`.',
      },
    },
    unknown_scans: {
      about:
        'Somebody was answered at a door that was offline, and the server does not know the code. The code itself is not stored.',
    },
    removals: {
      about:
        'What left a list that `include=removed` reads: it was deleted, or it went out of the reach of callers that are limited to a group.',
      columns: {
        audience: "A group: the callers limited to it. The organization's own id: the callers that are not limited.",
        event_id: 'Null: the list is one of the organization.',
        test: 'Only callers who see tests saw it.',
      },
    },
    roster_removed: {
      about:
        "Tickets that left a roster: a group's roster when the attendee moved to another group, every roster when the ticket was deleted.",
      columns: {
        test: 'Only rosters of test keys had it.',
      },
    },
  },
};

export const FOLLOWING: Section = {
  title: 'Messages and webhooks',
  tables: {
    communications: {
      about: "Messages to an event's attendees.",
      columns: {
        group_id: 'If set, the message goes to this group and its subtree only, and only their keys see it.',
        attendee_type_ids: 'This and the next four columns choose the recipients. Null: no restriction.',
        job_id: 'No foreign key: jobs are removed after a year.',
        queued_at: 'When the last mail was queued. The status becomes `sent` once no mail is on its way any more.',
        counts: 'Kept once the message is sent. Until then the recipients are counted.',
      },
    },
    communication_recipients: {
      about:
        'The recipients of a message, fixed when its sending begins: one row per attendee, so that nobody gets it twice.',
      columns: {
        status: 'pending: the mail is still to be queued.',
        reason: 'Why the recipient was skipped.',
        error: 'Why it failed, in the words of the mail server.',
        email: "The attendee's own address, else the registrant's. Emptied when the attendee is erased.",
      },
    },
    webhook_endpoints: {
      about: 'Where webhooks are sent to.',
      columns: {
        was_paused: 'While the plan has no webhooks: whether the endpoint had been paused before.',
        paused_by: 'Why it is paused, also while the plan has no webhooks.',
        secret: 'Encrypted. It signs, so it must be readable, unlike the hash of a key.',
        worker: 'The process that sends to this endpoint, until `leased_until` unless it renews the lease.',
        since: 'The endpoint hears of what happens from then on.',
        test: 'Whether a test key made it. It then hears of test activity only.',
        deleted_at: 'Hidden at once; a job removes the history.',
      },
    },
    webhook_envelopes: {
      about: 'The signed bytes, once per occurrence and once for each part of it that an endpoint of one group gets.',
      columns: { body: 'Null once a person in it was erased.' },
    },
    webhook_deliveries: {
      about:
        'The log of deliveries. Rows are written once: the outcome is in webhook_attempts, and what is still to be sent in webhook_queue.',
      columns: {
        origin_at: 'When the first original was made. The days in which it can be replayed count from here.',
        occurrence_id: "The id under which receivers know the envelope, if it is a group's part of it.",
        dead: 'Whether it was given up after the last attempt.',
      },
    },
    webhook_attempts: { about: 'The attempts to send a delivery.' },
    webhook_queue: {
      about:
        'What is still to be sent. It stays small however long the log is. Rows are read in the order of sending and found again by their ' +
        'ctid, so that no plan can choose a slower way.',
      columns: { test_event: 'Sent by hand to try the endpoint, also while it is paused.' },
    },
  },
};
