import { Page, useWords } from '@turnout/ui';

export default function Types() {
  const t = useWords('form');
  return <Page title={t('types')} />;
}
