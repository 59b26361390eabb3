import { PlainPage, useWords } from '@turnout/ui';

export default function Screen() {
  const t = useWords('sign-in');
  return <PlainPage title={t('title')} />;
}
