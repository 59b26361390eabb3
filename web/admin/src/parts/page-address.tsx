import { CopyField, useWords } from '@turnout/ui';
import type { ReactNode } from 'react';
import './page-address.css';

/** The address of a public page: to be copied, and to be opened beside the app. */
export function PageAddress({ label, address, children }: { label: string; address: string; children?: ReactNode }) {
  const t = useWords('site');
  return (
    <div className="page-address">
      <CopyField label={label} text={address} />
      <div className="row">
        <a href={address} target="_blank" rel="noreferrer">
          {t('open')}
          <span className="hidden">
            {' '}
            {label} {t('newTab')}
          </span>
        </a>
        {children}
      </div>
    </div>
  );
}
