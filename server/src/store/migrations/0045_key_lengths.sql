-- Keys of names that an earlier build stored longer than a key may be: NFKD makes 18 letters of U+FDFA, so a name of 99 of them had
-- a key of 1,800 letters, and every search paid for it. Only rows with such a key are written. 601 is NAME_KEY_LENGTH and 300 is
-- KEY_LENGTH of areas/contacts/match.ts. A key that the build before writes during the upgrade may still be longer; searches take
-- its first 601 letters.
set local role turnout_system;
update attendees set name_key = left(name_key, 601), given_key = left(given_key, 601), email_key = left(email_key, 300),
  external_key = left(external_key, 300)
where length(name_key) > 601 or length(given_key) > 601 or length(email_key) > 300 or length(external_key) > 300;
update attendee_answers set name_key = left(name_key, 601) where length(name_key) > 601;
update contacts set name_key = left(name_key, 601), given_key = left(given_key, 601), email_key = left(email_key, 300)
where length(name_key) > 601 or length(given_key) > 601 or length(email_key) > 300;
update registrations set email_key = left(email_key, 300) where length(email_key) > 300;
reset role;
