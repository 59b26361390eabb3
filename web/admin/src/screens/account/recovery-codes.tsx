import { Button, CopyButton, Dialog, useWords } from '@turnout/ui';

/** Shown once: to be copied, downloaded or printed. */
export function RecoveryCodes({
  codes,
  email,
  onClose,
}: {
  codes: readonly string[];
  email: string;
  onClose: () => void;
}) {
  const t = useWords('account');
  const about = t('codesFor', { email, host: location.host });
  return (
    <Dialog title={t('codes')} onClose={onClose}>
      <p className="print-only">{about}</p>
      <p className="soft">{t('codesText')}</p>
      <ul className="codes" aria-label={t('codes')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="row" data-apart="">
        <div className="buttons">
          <CopyButton text={codes.join('\n')} what={t('codes')}>
            {t('codesCopy')}
          </CopyButton>
          <Button onClick={() => download(`${about}\n\n${codes.join('\n')}\n`)}>{t('codesDownload')}</Button>
          <Button onClick={() => print()}>{t('codesPrint')}</Button>
        </div>
        <div className="buttons">
          <Button kind="main" onClick={onClose}>
            {t('codesDone')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function download(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `turnout-recovery-codes-${location.hostname}.txt`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
