import { Skeleton } from '@turnout/ui';

/** In place of a page without the shell, while it is not known yet what it shows. */
export const PlainSkeleton = () => (
  <div className="plain">
    <main>
      <Skeleton />
    </main>
  </div>
);
