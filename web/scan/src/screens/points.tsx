import { Icon } from '../parts/icons.tsx';
import { Page } from '../parts/page.tsx';
import { saysOf } from '../parts/point-says.ts';
import { choosePoint, go, home, manifest, paired, place, point, status } from '../parts/session.ts';
import { RosterProgress } from '../parts/state-line.tsx';
import { t } from '../parts/words.ts';

/** Where this device stands. Everything that is scanned is scanned at this point. */
export function Points() {
  const points = manifest.value?.check_in_points;
  const choose = (code: string) => {
    void choosePoint(code);
    if (place.value !== null) home();
  };
  return (
    <Page
      title={t('pointTitle')}
      back={place.value === null ? null : home}
      actions={
        paired.value.length > 1 && (
          <button type="button" onClick={() => go('events')}>
            {t('otherEvent')}
          </button>
        )
      }
    >
      <p class="lead">{manifest.value?.event.name}</p>
      {points === undefined ? (
        <p>{status.value?.connection === 'offline' ? t('noManifestOffline') : t('noManifest')}</p>
      ) : points.length === 0 ? (
        <p>{t('noPoints')}</p>
      ) : (
        <ul class="rows">
          {points.map((one) => (
            <li key={one.code}>
              <button
                type="button"
                class="row"
                aria-current={one.code === point.value}
                onClick={() => choose(one.code)}
              >
                <span>
                  <bdi>{one.name}</bdi>
                  <small>{saysOf(one)}</small>
                </span>
                <Icon name="on" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {/* A point can be chosen meanwhile, and then the server decides. */}
      <RosterProgress />
    </Page>
  );
}
