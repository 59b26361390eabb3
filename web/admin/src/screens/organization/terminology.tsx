import type { OrganizationSettings } from '@turnout/client';
import { Submit, TextField, useAllWords, useWords } from '@turnout/ui';
import { DEFAULT_NOUNS } from '../../frame/words.ts';
import { SharedForm } from '../../parts/shared-form.tsx';
import { useChangeOrganization, useOrganizationNow } from './change.ts';
import './terminology.css';

type Noun = keyof typeof DEFAULT_NOUNS;
const NOUNS = Object.keys(DEFAULT_NOUNS) as Noun[];

/** The server fills up the words with ours, so one that equals ours was not chosen. */
const chosenIn = ({ terminology }: OrganizationSettings) =>
  Object.fromEntries(
    NOUNS.map((noun) => [noun, terminology[noun] === DEFAULT_NOUNS[noun] ? '' : (terminology[noun] ?? '')]),
  ) as Record<Noun, string>;

/** The organization's own words for things. An example shows at once how they read. */
export function Terminology({ settings }: { settings: OrganizationSettings }) {
  const t = useWords('organization');
  const words = useAllWords();
  const change = useChangeOrganization();
  const ours = (noun: Noun) => words.find('nouns', noun) ?? DEFAULT_NOUNS[noun];
  const now = useOrganizationNow();
  return (
    <SharedForm
      operation="changeOrganization"
      values={chosenIn(settings)}
      now={async () => {
        const settings = await now();
        return { values: chosenIn(settings), updated_at: settings.updated_at };
      }}
      save={(typed, _, options) =>
        change(
          {
            terminology: Object.fromEntries(
              Object.entries(typed).map(([noun, word]) => [noun, word.trim() === '' ? null : word]),
            ),
          },
          options,
        )
      }
    >
      {({ field, values: typed }) => {
        const word = (noun: Noun) => typed[noun].trim() || ours(noun);
        return (
          <>
            <div className="columns own-words">
              {NOUNS.map((noun) => (
                <TextField
                  key={noun}
                  label={t(`noun.${noun}`)}
                  required={false}
                  maxLength={60}
                  placeholder={ours(noun)}
                  {...field(noun)}
                />
              ))}
            </div>
            <figure className="card">
              <figcaption className="soft small">{t('example')}</figcaption>
              <p aria-live="polite">
                {t('exampleText', {
                  attendees: word('attendees'),
                  registrations: word('registrations'),
                  event: word('event'),
                  ticket: word('ticket'),
                  point: word('check_in_point'),
                })}
              </p>
            </figure>
            <div className="buttons">
              <Submit />
            </div>
          </>
        );
      }}
    </SharedForm>
  );
}
