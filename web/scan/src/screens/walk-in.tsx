import encodeQR from 'qr';
import { sheet } from '../parts/door.ts';
import { engine, inApp, manifest, point } from '../parts/session.ts';
import { Sheet } from '../parts/sheet.tsx';
import { t } from '../parts/words.ts';

/** The desk opens the form at once, and leads back here. */
const HANDED_OVER = 'add=true&from=scanner';

/**
 * Somebody without a ticket. A gate that registers people is a gate with a queue, so they are handed over: to their own phone, or to the
 * desk. A member who is signed in may be the desk, and goes there at once.
 */
export function WalkIn() {
  const event = manifest.value?.event;
  const paired = engine.value?.paired;
  const at = point.value === null ? '' : `&check_in_point=${encodeURIComponent(point.value)}`;
  const address = event?.status === 'published' ? event.public_url : undefined;
  return (
    <Sheet
      title={t('walkIn')}
      onClose={() => {
        sheet.value = null;
      }}
    >
      <div class="sheet-form">
        {paired?.org != null && (
          <a class="button main" href={inApp(paired.org, paired.event.id, `desk?${HANDED_OVER}${at}`)}>
            {t('walkInRegister')}
          </a>
        )}
        {address !== undefined && (
          <>
            <p>{t('walkInOwnPhone')}</p>
            <Code address={address} />
            <p class="hint walk-in-address">{address}</p>
          </>
        )}
        <p>{t('walkInDesk')}</p>
        {event?.door.name_search === true && (
          <button
            type="button"
            onClick={() => {
              sheet.value = 'search';
            }}
          >
            {t('walkInSearch')}
          </button>
        )}
      </div>
    </Sheet>
  );
}

/** Black on white also at night: phones read it best so. */
function Code({ address }: { address: string }) {
  const rows = encodeQR(address, 'raw', { ecc: 'medium', border: 4 });
  const path = rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg class="walk-in-code" viewBox={`0 0 ${rows.length} ${rows.length}`} role="img" aria-label={t('walkInCode')}>
      <rect width="100%" height="100%" fill="#fff" />
      <path d={path} fill="#000" shape-rendering="crispEdges" />
    </svg>
  );
}
