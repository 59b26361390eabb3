import {
  ANSWER_TO,
  IMPORT_ERROR_HEADING,
  IMPORT_FIELDS,
  type ImportColumn,
  type ImportField,
  type ImportMapping,
  JOB_HEADING_SHOWN,
  OWN_EXPORT_HEADING,
} from '@turnout/contract';
import { unguard } from '@turnout/contract/csv-guard';
import { type Fault, invalid, requireValid } from '../../common/refusal.ts';
import { normalized } from '../../common/unicode.ts';
import { normalise } from '../contacts/index.ts';
import type { QuestionRow } from '../events/index.ts';
import { peopleSheet } from './export-people.ts';

/** Headings by which a field is recognized, in English, German, French and Spanish. They are compared by `headingKey`. */
const SYNONYMS: Record<ImportField, readonly string[]> = {
  first_name: [
    ...['first name', 'given name', 'forename', 'Christian name', 'Vorname', 'Rufname', 'prénom', 'prénoms'],
    ...['nombre', 'nombres', 'nombre de pila', 'primer nombre'],
  ],
  last_name: [
    ...['last name', 'surname', 'family name', 'Nachname', 'Familienname', 'Zuname', 'nom', 'nom de famille'],
    ...['apellido', 'apellidos', 'primer apellido'],
  ],
  name: [
    ...['name', 'full name', 'attendee', 'attendee name', 'participant', 'vollständiger Name', 'Teilnehmer'],
    ...['Teilnehmerin', 'nom complet', 'nom et prénom', 'prénom et nom', 'nombre completo', 'nombre y apellidos'],
  ],
  email: [
    ...['email', 'mail', 'email address', 'mail address', 'E-Mail-Adresse', 'Mailadresse', 'courriel'],
    ...['adresse e-mail', 'adresse mail', 'adresse électronique', 'adresse courriel', 'mél', 'correo'],
    ...['correo electrónico', 'dirección de correo', 'dirección de correo electrónico', 'dirección de email'],
  ],
  phone: [
    ...['phone', 'phone number', 'telephone', 'telephone number', 'tel', 'tel no', 'mobile', 'mobile phone'],
    ...['mobile number', 'cell', 'cell phone', 'cellphone number', 'Telefon', 'Telefonnummer', 'Tel.-Nr.', 'Handy'],
    ...['Handynummer', 'Mobil', 'Mobiltelefon', 'Mobilnummer', 'Rufnummer', 'téléphone', 'numéro de téléphone'],
    ...['tél', 'portable', 'téléphone portable', 'téléphone mobile', 'teléfono', 'número de teléfono', 'móvil'],
    ...['teléfono móvil', 'celular'],
  ],
  attendee_type: [
    ...['type', 'attendee type', 'ticket type', 'ticket class', 'ticket category', 'ticket name', 'category', 'Typ'],
    ...['Teilnehmertyp', 'Teilnehmerart', 'Ticketart', 'Tickettyp', 'Ticketkategorie', 'Ticketklasse', 'Kartenart'],
    ...['Kategorie', 'type de participant', 'type de billet', 'catégorie de billet', 'catégorie', 'tipo'],
    ...['tipo de asistente', 'tipo de participante', 'tipo de entrada', 'categoría de entrada', 'categoría'],
  ],
  group: ['group', 'group name', 'group code', 'Gruppe', 'Gruppenname', 'groupe', 'nom du groupe', 'grupo'],
  days: [
    ...['day', 'days', 'event day', 'event days', 'attendance day', 'attendance days', 'Tag', 'Tage'],
    ...['Veranstaltungstag', 'Veranstaltungstage', 'Teilnahmetag', 'Teilnahmetage', 'jour', 'jours', 'journée'],
    ...['journées', 'jour de présence', 'día', 'días', 'día de asistencia', 'días de asistencia'],
  ],
  date_of_birth: [
    ...['date of birth', 'birth date', 'birthday', 'dob', 'born', 'born on', 'Geburtsdatum', 'Geburtstag', 'geboren'],
    ...['geboren am', 'Geb.-Datum', 'date de naissance', 'naissance', 'né le', 'né(e) le', 'née le'],
    ...['fecha de nacimiento', 'nacimiento', 'cumpleaños'],
  ],
  external_id: [
    ...['id', 'external id', 'person id', 'attendee id', 'participant id', 'member id', 'member number', 'member no'],
    ...['membership number', 'membership id', 'identifier', 'Mitgliedsnummer', 'Mitglieds-ID', 'Personennummer'],
    ...['Personen-ID', 'Teilnehmer-ID', 'Teilnehmernummer', 'Kennung', 'identifiant', 'numéro de membre'],
    ...["numéro d'adhérent", 'identificador', 'número de socio', 'número de miembro', 'número de identificación'],
  ],
};

const LONGEST_HEADING = 200;

/** A heading without case, accents, spaces and punctuation. Only the first `LONGEST_HEADING` characters count. */
export const headingKey = (heading: string): string =>
  normalise(heading.trim().slice(0, LONGEST_HEADING)).replaceAll(/[^\p{L}\p{N}]/gu, '');

const FIELD_OF = new Map<string, ImportField>();
for (const [field, words] of Object.entries(SYNONYMS)) {
  FIELD_OF.set(headingKey(field), field as ImportField);
  for (const word of words) FIELD_OF.set(headingKey(word), field as ImportField);
}
/**
 * Many lists have the type under the word for a ticket. The word may as well stand above codes, so it yields to a column that is surely
 * the type and to a question of that name.
 */
const TICKET_KEYS = new Set(['ticket', 'Eintrittskarte', 'Karte', 'billet', 'entrada'].map(headingKey));
const ERROR_KEY = headingKey(IMPORT_ERROR_HEADING);

export const fieldOf = (heading: string): ImportField | null => FIELD_OF.get(headingKey(heading)) ?? null;
export const isErrorHeading = (heading: string): boolean => headingKey(heading) === ERROR_KEY;

interface AnswerColumn {
  use: 'answer';
  key: string;
  question: QuestionRow | null;
}

/**
 * What becomes of a column. `nameless`: it has no heading, so its cells must be empty. `status`: the status column of our own
 * export, of which only confirmed attendees are imported.
 */
export type Column = { use: 'field'; field: ImportField } | AnswerColumn | { use: 'ignore' | 'nameless' | 'status' };

/**
 * Our own export of people is recognized only by its reserved heading, in exactly its spelling: its other headings are words
 * that anybody would use. Its columns for the fields of an import describe the attendee; the others report on tickets, check-in and the
 * like.
 */
const HEADINGS = new Map(
  Object.entries(peopleSheet.columns).map(([column, { heading }]) => [column, headingKey(heading)]),
);
const IMPORTED = new Set(IMPORT_FIELDS.map((field) => HEADINGS.get(field)));
const REPORT_ONLY = new Set([...HEADINGS.values()].filter((key) => !IMPORTED.has(key)));
const STATUS_KEY = headingKey(peopleSheet.columns.status!.heading);
const isMark = (heading: string): boolean => heading.trim().toLowerCase() === OWN_EXPORT_HEADING;
export const isOwnExport = (headings: readonly string[]): boolean => headings.some(isMark);

/** Put in front of an answer's key where the key alone would be read as another column. Understood only in our own exports. */
export const ONE_ANSWER = ANSWER_TO;
/** Whether a heading means something else than an answer in our own export. */
export const isReservedHeading = (heading: string): boolean => {
  const key = headingKey(heading);
  return FIELD_OF.has(key) || TICKET_KEYS.has(key) || REPORT_ONLY.has(key) || key === ERROR_KEY;
};

/** A heading without the guard that an export or a file of rejects put in front of it. */
const nameOf = (heading: string): string => normalized(unguard(heading.trim()), 'NFC').trim();
const beginningOf = (text: string): string => text.slice(0, 40).toWellFormed();

/**
 * Decides what each column of a file is: what the mapping says, else a field by its synonyms, else a question of the event by
 * code or label, else an answer under the trimmed heading. All faults are reported at once.
 */
export function columnsOf(
  headings: readonly string[],
  mapping: ImportMapping,
  questions: readonly QuestionRow[],
): Column[] {
  const own = isOwnExport(headings);
  const most = (heading: string) => LONGEST_HEADING + (own && heading.startsWith(ONE_ANSWER) ? ONE_ANSWER.length : 0);
  const long = headings.map((heading) => heading.trim()).find((heading) => heading.length > most(heading));
  if (long !== undefined) {
    const begins = beginningOf(long);
    invalid({ path: 'csv', message: `a heading has more than ${LONGEST_HEADING} characters: ${begins}…` });
  }
  const faults: Fault[] = [];
  const keys = headings.map(headingKey);
  const mapped = new Map<string, ImportMapping[string]>();
  for (const [heading, use] of Object.entries(mapping)) {
    const key = headingKey(heading);
    if (keys.includes(key)) mapped.set(key, use);
    else
      faults.push({
        path: `mapping/${heading.length > LONGEST_HEADING ? `${beginningOf(heading)}…` : heading}`,
        message: 'is not a heading of the file',
      });
  }
  const questionsByHeading = new Map<string, QuestionRow>();
  for (const question of questions) questionsByHeading.set(headingKey(question.label), question);
  for (const question of questions) questionsByHeading.set(headingKey(question.code), question);

  const columns = headings.map((heading, i): Column => {
    const key = keys[i]!;
    const trimmed = nameOf(heading);
    const use = mapped.get(key);
    if (key === ERROR_KEY || isMark(heading) || use === 'ignore') return { use: 'ignore' };
    if (use !== undefined && isAnswerTo(use)) {
      const column = answerUnder(use.slice(ANSWER_TO.length), questions);
      if (column.question === null)
        faults.push({ path: `mapping/${heading}`, message: `there is no question ${column.key} in this event` });
      return column;
    }
    if (use !== undefined && use !== 'answer') return { use: 'field', field: use };
    if (trimmed === '') return { use: 'nameless' };
    if (own && use === undefined) {
      // Without this, the columns about tickets, check-in and price would become answers of the attendee.
      if (REPORT_ONLY.has(key)) return { use: key === STATUS_KEY ? 'status' : 'ignore' };
      if (trimmed.startsWith(ONE_ANSWER)) return answerUnder(trimmed.slice(ONE_ANSWER.length), questions);
    }
    const field = use === undefined ? FIELD_OF.get(key) : undefined;
    if (field !== undefined) return { use: 'field', field };
    const question = questionsByHeading.get(key) ?? null;
    return { use: 'answer', key: question?.code ?? trimmed, question };
  });
  settleName(headings, columns, mapped);
  settleTicket(keys, columns, mapped);
  faults.push(...doubles(headings, columns));
  if (!columns.some((column) => column.use === 'field')) {
    const found = headings.slice(0, 8).map((heading) => `"${beginningOf(heading.trim())}"`);
    faults.push({
      path: 'csv',
      message: `must begin with a line of headings such as First name, Last name, Email; none of these was recognized: ${found.join(', ')}`,
    });
  }
  requireValid(faults);
  return columns;
}

const isAnswerTo = (use: ImportMapping[string]): use is `${typeof ANSWER_TO}${string}` => use.startsWith(ANSWER_TO);

function answerUnder(key: string, questions: readonly QuestionRow[]): AnswerColumn {
  const question = questions.find(({ code }) => code.toLowerCase() === key.toLowerCase()) ?? null;
  return { use: 'answer', key: question?.code ?? key, question };
}

/** "Name" next to a first name is the last name. Next to both names it adds nothing and is kept as an answer. */
function settleName(headings: readonly string[], columns: Column[], mapped: ReadonlyMap<string, unknown>): void {
  const has = (field: ImportField) => columns.some((column) => column.use === 'field' && column.field === field);
  for (const [i, column] of columns.entries()) {
    if (column.use !== 'field' || column.field !== 'name' || mapped.has(headingKey(headings[i]!))) continue;
    if (!has('first_name')) continue;
    columns[i] = has('last_name')
      ? { use: 'answer', key: nameOf(headings[i]!), question: null }
      : { use: 'field', field: 'last_name' };
  }
}

/** "Ticket" is the type where no other column is. */
function settleTicket(keys: readonly string[], columns: Column[], mapped: ReadonlyMap<string, unknown>): void {
  if (columns.some((column) => column.use === 'field' && column.field === 'attendee_type')) return;
  const i = columns.findIndex(
    (column, at) =>
      column.use === 'answer' && column.question === null && TICKET_KEYS.has(keys[at]!) && !mapped.has(keys[at]!),
  );
  if (i !== -1) columns[i] = { use: 'field', field: 'attendee_type' };
}

function doubles(headings: readonly string[], columns: readonly Column[]): Fault[] {
  const meaning = (column: Column): string | null =>
    column.use === 'field' ? column.field : column.use === 'answer' ? `answer ${column.key}` : null;
  const first = new Map<string, string>();
  const faults: Fault[] = [];
  for (const [i, column] of columns.entries()) {
    const means = meaning(column);
    if (means === null) continue;
    const other = first.get(means);
    first.set(means, headings[i]!);
    if (other === undefined) continue;
    const pair = other === headings[i] ? `"${other}" occurs twice` : `"${other}" and "${headings[i]}" mean the same`;
    faults.push({
      path: 'csv',
      message: `the headings must differ: ${pair}; rename one, or set it to ignore in the mapping`,
    });
  }
  return faults;
}

/** What became of each column, for the answer of the job. */
export const importColumns = (headings: readonly string[], columns: readonly Column[]): ImportColumn[] =>
  columns.map((column, i) => ({ heading: shown(nameOf(headings[i]!)), ...becameOf(column, headings[i]!) }));

function becameOf(column: Column, heading: string): Omit<ImportColumn, 'heading'> {
  if (column.use === 'field') return { became: 'field', field: column.field, why: null };
  if (column.use === 'answer') {
    return { became: column.question === null ? 'answer' : 'question', field: shown(column.key), why: null };
  }
  return { became: 'ignored', field: null, why: whyIgnored(column.use, heading) };
}

function whyIgnored(use: 'ignore' | 'nameless' | 'status', heading: string): string {
  if (use === 'nameless') return 'It has no heading, so its cells must be empty.';
  if (use === 'status') return 'Only the confirmed people of an export are imported.';
  if (isErrorHeading(heading) || isMark(heading)) return 'This heading is reserved for files that Turnout writes.';
  return REPORT_ONLY.has(headingKey(heading))
    ? 'It is a column of an export that does not describe the person, or the mapping says to ignore it.'
    : 'The mapping says to ignore it.';
}

const shown = (text: string): string =>
  text.length > JOB_HEADING_SHOWN ? `${text.slice(0, JOB_HEADING_SHOWN - 1).toWellFormed()}…` : text;
