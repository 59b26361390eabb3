import { Dialog, useWords } from '@turnout/ui';

export default function Palette({ onClose }: { onClose: () => void }) {
  const t = useWords('palette');
  return (
    <Dialog title={t('title')} onClose={onClose}>
      <p />
    </Dialog>
  );
}
