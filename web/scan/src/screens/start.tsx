import { Page } from '../parts/page.tsx';
import { type Obstacle, restart, startOver, theHost } from '../parts/session.ts';
import { t } from '../parts/words.ts';

/** What is in the way before any event is open. */
export function Start({ why, onPair }: { why: NonNullable<Obstacle>; onPair?: () => void }) {
  if (why === 'starting') return <main class="starting">{t('starting')}</main>;
  return (
    <Page
      title={t(`start.${why}`)}
      back={null}
      actions={
        why === 'other_tab' ? (
          <button type="button" class="main" onClick={() => void restart(true)}>
            {t('scanHere')}
          </button>
        ) : why === 'wiped' ? (
          <button
            type="button"
            class="main"
            onClick={() => {
              theHost().wipeSeen();
              void restart();
            }}
          >
            {t('pairAgain')}
          </button>
        ) : (
          <>
            <button type="button" class="main" onClick={() => location.reload()}>
              {t('reload')}
            </button>
            {why === 'failed' && (
              <button
                type="button"
                onClick={() => {
                  startOver();
                  onPair?.();
                }}
              >
                {t('pairAgain')}
              </button>
            )}
          </>
        )
      }
    >
      <p class="lead">{t(`startText.${why}`)}</p>
    </Page>
  );
}
