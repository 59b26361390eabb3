import { Heading, useFormats, useWords } from '@turnout/ui';
import { useEvent } from '../../../frame/event.tsx';
import { useEventWhen } from '../../../frame/event-when.ts';
import { EventPicture } from '../../../parts/event-picture.tsx';
import { StateBadge } from '../../../parts/status.tsx';

/** What the event is, as its visitors see it: its picture, name, date and place, and the two things done with its page. */
export function Hero({ onShare }: { onShare: (() => void) | null }) {
  const t = useWords('overview');
  const { event } = useEvent();
  const { status, test } = event;
  return (
    <header className="hero">
      <EventPicture event={event} size="cover" />
      <div className="hero-top">
        <span className="row">
          <StateBadge kind="event" value={status} />
          {test && <StateBadge kind="event" value="test" />}
        </span>
        <span className="row">
          {status !== 'archived' && (
            <a className="button" data-kind="usual" href={event.public_url} target="_blank" rel="noreferrer">
              {t(status === 'draft' || test ? 'previewPage' : 'viewPage')}
              <span className="hidden"> {t('newTab')}</span>
            </a>
          )}
          {onShare !== null && (
            <button type="button" className="button" data-kind="main" onClick={onShare}>
              {t('share')}
            </button>
          )}
        </span>
      </div>
      <div className="hero-text">
        <Heading title={event.name}>
          <bdi>{event.name}</bdi>
        </Heading>
        <WhenAndWhere />
      </div>
    </header>
  );
}

function WhenAndWhere() {
  const t = useWords('overview');
  const formats = useFormats();
  const { event } = useEvent();
  const when = useEventWhen(event);
  const isAhead = event.starts_at !== null && Date.parse(event.starts_at) > Date.now();
  const facts = [when ?? t('noDate'), event.venue, isAhead ? formats.relative(event.starts_at!) : null];
  return <p>{facts.filter((fact) => fact !== null).join(' · ')}</p>;
}
