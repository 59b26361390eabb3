import { Page, useWords } from '@turnout/ui';

export default function Person() {
  const t = useWords('people');
  return <Page title={t('person')} />;
}
