import { Page, useWords } from '@turnout/ui';

export default function PlatformImport() {
  const t = useWords('import');
  return <Page title={t('platform')} />;
}
