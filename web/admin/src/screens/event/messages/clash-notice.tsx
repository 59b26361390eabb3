import { Button, Notice, useWords } from '@turnout/ui';
import { useAudienceText } from './audience.tsx';
import type { MessageValues } from './draft-values.ts';
import type { DraftClash } from './use-draft.ts';

/** Somebody else has changed the same of this draft: what they wrote, to be taken or replaced. */
export function ClashNotice({
  clash,
  onMine,
  onTheirs,
}: {
  clash: DraftClash;
  onMine: () => void;
  onTheirs: () => void;
}) {
  const t = useWords('messages');
  const audienceText = useAudienceText();
  const { theirs } = clash;
  const textOf = (name: keyof MessageValues): string =>
    name === 'audience'
      ? audienceText(theirs.audience)
      : name === 'kind'
        ? t(theirs.kind === 'news' ? 'kindNews' : 'kindService')
        : theirs[name];
  return (
    <Notice tone="warn" title={t('clashTitle')}>
      <p>{t('clashText')}</p>
      <dl className="message-theirs">
        {clash.names.map((name) => (
          <div key={name}>
            <dt>{t(name)}</dt>
            <dd>
              <bdi>{textOf(name)}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      <div className="buttons">
        <Button size="small" onClick={onMine}>
          {t('keepMine')}
        </Button>
        <Button size="small" onClick={onTheirs}>
          {t('takeTheirs')}
        </Button>
      </div>
    </Notice>
  );
}
