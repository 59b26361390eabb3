import { Button, CopyButton, Section, useWords } from '@turnout/ui';
import { type Ref, useState } from 'react';
import { useEvent } from '../../../frame/event.tsx';
import '../../../parts/fold.css';
import { QrCode, qrFile, qrPicture } from '../../../parts/qr.tsx';
import { Embed } from '../settings/embed.tsx';

/** How people learn of the page: its link, its QR code for posters, and the line that puts the form into another site. */
export function Share({ ref }: { ref?: Ref<HTMLDivElement> }) {
  const t = useWords('overview');
  const { event } = useEvent();
  const { public_url: address, code, status } = event;
  return (
    <Section title={t('share')}>
      <div className="share" ref={ref}>
        <QrCode text={address} label={t('code')} size="6.5rem" />
        <div className="share-link">
          <a href={address} target="_blank" rel="noreferrer">
            {address.replace(/^https?:\/\//u, '')}
            <span className="hidden"> {t('newTab')}</span>
          </a>
          <CopyButton text={address} what={t('linkOfPage')}>
            {t('copyLink')}
          </CopyButton>
          <div className="row small">
            <DownloadPng address={address} name={code} />
            <a href={qrFile(address)} download={`${code}.svg`}>
              {t('svg')}
            </a>
          </div>
        </div>
      </div>
      {status === 'closed' && <p className="soft small">{t('shareClosed')}</p>}
      <EmbedFold />
    </Section>
  );
}

/** The picture is made when it is asked for. */
function DownloadPng({ address, name }: { address: string; name: string }) {
  const t = useWords('overview');
  const download = () => {
    const link = document.createElement('a');
    link.href = qrPicture(address);
    link.download = `${name}.png`;
    link.click();
  };
  return (
    <Button kind="link" onClick={download}>
      {t('png')}
    </Button>
  );
}

/** What the line is depends on the organization's settings, which are asked for when somebody wants it. */
function EmbedFold() {
  const t = useWords('overview');
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="fold small" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('embed')}</summary>
      {isOpen && <Embed />}
    </details>
  );
}
