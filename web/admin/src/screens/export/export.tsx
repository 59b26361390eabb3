import { Page, useWords } from '@turnout/ui';

export default function Export() {
  const t = useWords('export');
  return <Page title={t('title')} />;
}
