import type { ImportColumn } from '@turnout/client';
import { IMPORT_FIELDS, type ImportField } from '@turnout/contract/file-columns';
import { Badge, Button, CheckIcon, CircleIcon, PencilIcon, useWords } from '@turnout/ui';
import { useEvent } from '../../../../frame/event.tsx';
import { useOrganization } from '../../../../frame/organization.tsx';
import { useJob } from '../../../../parts/job.tsx';
import { changeDraft, type Draft, type Use } from './draft.ts';
import { WholeProblem } from './problem.tsx';
import { recognizedUse } from './recognized-use.ts';
import { useImport } from './use-import.ts';

/** The second step: what each column is, as it was recognized, to be changed by menus. */
export function Columns({ draft, go }: { draft: Draft; go: (step: 'file' | 'preview') => void }) {
  const t = useWords('import');
  const { event } = useEvent();
  const { check } = useImport();
  const found = useFound(draft);
  const heads = headsOf(draft, found);
  const set = (heading: string, use: Use | '') => {
    const mapping = { ...draft.mapping };
    if (use === '') delete mapping[heading];
    else mapping[heading] = use;
    changeDraft(event.id, { mapping, preview: null });
  };
  const goOn = async () => {
    if (draft.preview !== null || (await check.run(draft)) !== undefined) go('preview');
  };
  return (
    <div className="stack">
      <p className="soft">{t('columnsLead')}</p>
      <ul className="import-columns">
        {heads.map((heading, i) => (
          <OneColumn
            // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have the same heading
            key={i}
            heading={heading}
            found={found?.[i]}
            samples={samplesOf(draft, i)}
            use={draft.mapping[heading]}
            onUse={(use) => set(heading, use)}
          />
        ))}
      </ul>
      <WholeProblem problem={check.problem} />
      <div className="buttons import-next">
        <Button kind="main" busy={check.busy} onClick={() => void goOn()}>
          {t('toPreview')}
        </Button>
        <Button kind="quiet" onClick={() => go('file')}>
          {t('back')}
        </Button>
      </div>
    </div>
  );
}

/** The headings as they stand in the file. The job has them shortened; if this browser read the file otherwise, the job's are right. */
function headsOf({ sheet }: Draft, found: ImportColumn[] | undefined): readonly string[] {
  if (sheet === null) return found?.map(({ heading }) => heading) ?? [];
  const beginning = (heading: string | undefined) => heading?.trim().slice(0, 20);
  const same = found === undefined || beginning(found[0]?.heading) === beginning(sheet.head[0]);
  return same ? sheet.head : found.map(({ heading }) => heading);
}

/** The columns as the server recognized them; undefined until it did, and after something was changed. */
function useFound(draft: Draft): ImportColumn[] | undefined {
  const { org } = useOrganization();
  const { data } = useJob(org, draft.preview ?? 'none', draft.preview !== null);
  return draft.preview === null ? undefined : importColumns(data?.columns);
}

const importColumns = (columns: readonly (ImportColumn | string)[] | null | undefined): ImportColumn[] | undefined =>
  columns?.filter((column) => typeof column !== 'string');

const samplesOf = ({ sheet }: Draft, i: number): string[] =>
  [...new Set(sheet?.rows.map((row) => row[i]?.trim() ?? '').filter((cell) => cell !== '') ?? [])].slice(0, 3);

function OneColumn({
  heading,
  found,
  samples,
  use,
  onUse,
}: {
  heading: string;
  found: ImportColumn | undefined;
  samples: string[];
  use: Use | undefined;
  onUse: (use: Use | '') => void;
}) {
  const t = useWords('import');
  const person = useWords('person');
  const { questions } = useEvent();
  const fieldName = (field: ImportField) => (field === 'name' ? t('nameInOne') : person(field));
  const recognized = recognizedUse(found);
  const isKnown = found?.became === 'field' || found?.became === 'question';
  const nameOf = (one: Use): string => {
    if (one === 'answer') return t('isAnswer');
    if (one === 'ignore') return t('isIgnored');
    const asked = questions.find(({ code }) => one === `answers.${code}`);
    return asked !== undefined ? t('isQuestion', { question: asked.label }) : fieldName(one as ImportField);
  };
  /** What was recognized stands first, and not again among the others. */
  const isOffered = (one: Use) => use !== undefined || one !== recognized;
  const offeredQuestions = questions.filter(({ code }) => isOffered(`answers.${code}`));
  return (
    <li>
      <div className="import-heading">
        <strong>
          <bdi>{heading === '' ? t('noHeading') : heading}</bdi>
        </strong>
        <span className="soft small clip">{samples.join(' · ')}</span>
      </div>
      <select
        className="input"
        aria-label={t('columnUse', { heading })}
        value={use ?? ''}
        onChange={({ target }) => onUse(target.value as Use | '')}
      >
        <option value="">
          {use !== undefined || recognized === null
            ? t('recognize')
            : isKnown
              ? t('asRecognized', { as: nameOf(recognized) })
              : nameOf(recognized)}
        </option>
        {IMPORT_FIELDS.filter(isOffered).map((field) => (
          <option key={field} value={field}>
            {fieldName(field)}
          </option>
        ))}
        {offeredQuestions.length > 0 && (
          <optgroup label={t('questions')}>
            {offeredQuestions.map(({ code, label }) => (
              <option key={code} value={`answers.${code}`}>
                {label}
              </option>
            ))}
          </optgroup>
        )}
        {isOffered('answer') && <option value="answer">{nameOf('answer')}</option>}
        {isOffered('ignore') && <option value="ignore">{nameOf('ignore')}</option>}
      </select>
      <span className="import-became">
        {use !== undefined ? (
          <Badge icon={PencilIcon}>{t('byHand')}</Badge>
        ) : (
          found !== undefined && (
            <Badge {...(isKnown && { tone: 'good' as const })} icon={isKnown ? CheckIcon : CircleIcon}>
              {isKnown ? t('recognized') : found.became === 'ignored' ? t('notRead') : t('keptAsAnswer')}
            </Badge>
          )
        )}
      </span>
    </li>
  );
}
