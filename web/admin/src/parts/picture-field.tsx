import type { Problem } from '@turnout/client';
import {
  announce,
  Button,
  Fault,
  faultText,
  ProblemNotice,
  Spinner,
  toast,
  useAllWords,
  useFormats,
  useWords,
} from '@turnout/ui';
import { type DragEvent, useEffect, useId, useRef, useState } from 'react';
import { useAction } from '../frame/action.ts';
import { useOrganization } from '../frame/organization.tsx';
import './picture.css';

/** What the server takes, in bytes. A larger file would be sent in vain. */
const LIMIT = 10 * 1024 * 1024;

/** A picture that is sent as soon as it is chosen, shown as people see it. When it is refused, the one before stays. */
export function PictureField({
  label,
  hint,
  address,
  shape,
  locked,
  save,
  remove,
}: {
  label: string;
  hint: string;
  /** Of the picture that there is. */
  address: string | null;
  shape: 'wide' | 'logo';
  locked: boolean;
  save: (file: Blob) => Promise<unknown>;
  remove: () => Promise<unknown>;
}) {
  const t = useWords('site');
  const formats = useFormats();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  /** The size of a file that was not sent because it is too large. */
  const [size, setSize] = useState<number | null>(null);
  const [over, setOver] = useState(false);
  const saving = useAction<[Blob], void>(async (file) => {
    await save(file);
    toast(t('pictureSaved'), 'good');
  });
  const removing = useAction(async () => {
    await remove();
    toast(t('pictureRemoved'), 'good');
    input.current?.focus();
  });
  const megabytes = (bytes: number) => formats.number(bytes / 1024 / 1024, { maximumFractionDigits: 1 });
  const refused = useFault(saving.problem);
  const fault = size === null ? refused : t('pictureTooLarge', { size: megabytes(size) });
  useEffect(() => {
    if (fault !== null) announce(fault);
  }, [fault]);
  const choose = (file: File | undefined) => {
    // It is not disabled meanwhile, because it would lose the focus.
    if (file === undefined || saving.busy || locked) return;
    saving.clear();
    removing.clear();
    const isTooLarge = file.size > LIMIT;
    setSize(isTooLarge ? file.size : null);
    if (!isTooLarge) void saving.run(file);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    choose(event.dataTransfer.files[0]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the field inside does the same for those who do not drag
    <div
      className="field picture-field"
      data-shape={shape}
      data-over={over || undefined}
      aria-busy={saving.busy || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(!locked);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {locked ? <span className="legend">{label}</span> : <label htmlFor={id}>{label}</label>}
      <div className="picture-frame">
        {saving.busy ? (
          <PictureProgress />
        ) : address === null ? (
          <NoPicture />
        ) : (
          <Preview address={address} label={label} />
        )}
      </div>
      {!locked && (
        <div className="buttons">
          <input
            ref={input}
            id={id}
            className="picture-input"
            type="file"
            accept="image/jpeg,image/png,image/webp"
            aria-disabled={saving.busy || undefined}
            aria-describedby={`${id}-hint${fault === null ? '' : ` ${id}-fault`}`}
            aria-invalid={fault === null ? undefined : true}
            onChange={({ target }) => {
              choose(target.files?.[0]);
              // Otherwise choosing the same file again, corrected, would not be noticed.
              target.value = '';
            }}
          />
          <label className="button" htmlFor={id} aria-hidden="true">
            {t(address === null ? 'pictureChoose' : 'pictureReplace')}
          </label>
          {address !== null && (
            <Button kind="quiet" busy={removing.busy} onClick={() => void removing.run()}>
              {t('pictureRemove')}
              <span className="hidden"> {label}</span>
            </Button>
          )}
        </div>
      )}
      <div className="hint" id={`${id}-hint`}>
        {hint}
      </div>
      {fault !== null && <Fault id={`${id}-fault`}>{fault}</Fault>}
      <ProblemNotice problem={fault === null ? (saving.problem ?? removing.problem) : removing.problem} />
    </div>
  );
}

/** What is wrong with the picture itself, in words. Null: nothing, or something else is wrong. */
function useFault(problem: Problem | null): string | null {
  const words = useAllWords();
  const [known, setKnown] = useState(false);
  useEffect(() => {
    if (problem === null) return;
    const done = () => setKnown(true);
    words.need('refusals').then(done, done);
  }, [words, problem]);
  const detail = problem?.details.find(({ path }) => path === 'file');
  return detail === undefined || !known ? null : faultText(words, detail);
}

function NoPicture() {
  const t = useWords('site');
  return <span className="soft small">{t('pictureNone')}</span>;
}

function PictureProgress() {
  const t = useWords('site');
  return (
    <span className="row" role="status">
      <Spinner /> {t('picturePreparing')}
    </span>
  );
}

/** From this server: the address may be on the organization's own host, from where this app loads nothing. */
function Preview({ address, label }: { address: string; label: string }) {
  const t = useWords('site');
  const { organization } = useOrganization();
  const name = address.slice(address.lastIndexOf('/') + 1);
  return <img src={`/o/${organization.code}/assets/${name}`} alt={t('pictureAlt', { what: label })} />;
}
