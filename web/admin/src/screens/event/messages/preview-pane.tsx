import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ProblemNotice, Skeleton, useWords } from '@turnout/ui';
import { call } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { useNameText } from '../../../parts/status.tsx';
import { MailFrame } from './mail-frame.tsx';

/** What a message looks like for its first recipient, and how many it would reach now. */
export const usePreview = (communication: string | null, version: number | string) => {
  const { base } = useEvent();
  return useQuery({
    queryKey: ['previewCommunication', { ...base, communication }, version],
    enabled: communication !== null,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('previewCommunication', { ...base, communication: communication!, body: {} }, { signal }),
  });
};

/** How many people get it. `repeated` is somebody whose address gets the same text already, so they are reached, too. */
export const reachOf = ({
  recipients,
  skipped,
}: {
  recipients: number;
  skipped: readonly { reason: string; people: number }[];
}): number => skipped.reduce((left, { reason, people }) => (reason === 'repeated' ? left : left - people), recipients);

export function PreviewPane({
  communication,
  version,
  sent,
}: {
  communication: string | null;
  version: number | string;
  /** Whom it reached is said elsewhere. */
  sent?: boolean;
}) {
  const t = useWords('messages');
  const { skipped } = useNameText();
  const preview = usePreview(communication, version);
  if (communication === null)
    return (
      <aside className="message-preview" aria-label={t('preview')}>
        <p className="soft">{t('previewEmpty')}</p>
      </aside>
    );
  const { data, error } = preview;
  return (
    <aside className="message-preview" aria-label={t('preview')} aria-busy={preview.isFetching || undefined}>
      <ProblemNotice problem={error} />
      {data === undefined && error === null && (
        <Skeleton>
          <div className="mail">
            <div className="mail-subject">&nbsp;</div>
            <div className="mail-frame" />
          </div>
        </Skeleton>
      )}
      {data !== undefined && (
        <>
          {!sent && (
            <p role="status">
              <strong className="message-reach">{t('reaches', { count: reachOf(data) })}</strong>
            </p>
          )}
          {!sent && data.skipped.length > 0 && (
            <ul className="soft small message-skipped">
              {data.skipped.map(({ reason, people }) => (
                <li key={reason}>{t('skippedBecause', { count: people, reason: skipped(reason) })}</li>
              ))}
            </ul>
          )}
          <div className="mail">
            <div className="mail-subject">
              <span className="soft small">{t('subject')}</span> <strong>{data.subject}</strong>
            </div>
            <MailFrame html={data.html} />
          </div>
          <p className="soft small">{data.attendee_id === null ? t('previewMadeUp') : t('previewFirst')}</p>
        </>
      )}
    </aside>
  );
}
