import { PlainPage, useWords } from '@turnout/ui';

export default function Screen() {
  const t = useWords('account');
  return <PlainPage title={t('title')} />;
}
