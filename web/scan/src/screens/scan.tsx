import { useEffect } from 'preact/hooks';
import { Camera, camera, theReader } from '../parts/camera.tsx';
import { busy, covering, earlier, hold, listening, miss, question, sheet, shownAnswer } from '../parts/door.ts';
import { Icon } from '../parts/icons.tsx';
import { Notices } from '../parts/notices.tsx';
import { TestBand } from '../parts/page.tsx';
import { go, manifest } from '../parts/session.ts';
import { ConnectionLine, Counts, Freshness, PointButton } from '../parts/state-line.tsx';
import { stayAwake } from '../parts/wake.ts';
import { t } from '../parts/words.ts';
import { AnswerPanel } from './answer.tsx';
import { TypeCode } from './code.tsx';
import { Decide } from './decide.tsx';
import { Search } from './search.tsx';
import { WalkIn } from './walk-in.tsx';
import { PeopleSheet } from './who.tsx';

/** The screen of the door: the camera, what is going on, and everything within reach of a thumb at the bottom. */
export function Scan() {
  useEffect(() => stayAwake(), []);
  // A refusal waits for whoever holds the device; what it covers cannot be reached by the keyboard meanwhile.
  const covered = covering.value && (shownAnswer.value?.tone !== 'success' || earlier.value);
  const above = sheet.value;
  return (
    <div class="scan">
      <header class="scan-head" inert={covered}>
        <TestBand />
        <h1 class="hidden">{t('scanTitle')}</h1>
        <PointButton />
        <ConnectionLine />
      </header>
      <main class="scan-view" inert={covered}>
        <Camera
          onCode={(code, otherwise) => void hold({ code }, { otherwise })}
          onMissed={(code) => miss({ code })}
          listening={listening.value}
        />
        <p class="scan-busy" role="status" data-busy={busy.value}>
          {busy.value && t('checking')}
        </p>
        <Notices />
      </main>
      <footer class="scan-foot" inert={covered}>
        <div class="scan-state">
          <Counts />
          <Freshness />
        </div>
        <Bar />
      </footer>
      <AnswerPanel />
      {question.value !== null && (
        <PeopleSheet key={JSON.stringify(question.value.target)} peopleQuestion={question.value} />
      )}
      {above === 'code' && <TypeCode />}
      {above === 'search' && <Search />}
      {above === 'walk-in' && <WalkIn />}
      {above !== null && typeof above === 'object' && <Decide answer={above.decide} verdict={above.verdict} />}
    </div>
  );
}

function Bar() {
  const now = camera.value;
  const other = otherCamera();
  return (
    <nav class="bar" aria-label={t('tools')}>
      <button
        type="button"
        onClick={() => {
          sheet.value = 'code';
        }}
      >
        <Icon name="keys" />
        <span>{t('typeShort')}</span>
      </button>
      {manifest.value?.event.door.name_search === true && (
        <button
          type="button"
          onClick={() => {
            sheet.value = 'search';
          }}
        >
          <Icon name="search" />
          <span>{t('searchShort')}</span>
        </button>
      )}
      {now !== null && now.torch !== null && (
        <button type="button" aria-pressed={now.torch} onClick={() => void theReader()?.light(!now.torch)}>
          <Icon name="torch" />
          <span>{t('torch')}</span>
        </button>
      )}
      {other !== null && (
        <button type="button" onClick={() => theReader()?.choose(other)}>
          <Icon name="turn" />
          <span>{t('turnCamera')}</span>
        </button>
      )}
      <button type="button" onClick={() => go('last')}>
        <Icon name="check" />
        <span>{t('lastShort')}</span>
      </button>
      <button type="button" onClick={() => go('settings')}>
        <Icon name="more" />
        <span>{t('more')}</span>
      </button>
    </nav>
  );
}

/** The camera after the one that runs. */
function otherCamera(): string | null {
  const now = camera.value;
  if (now === null || now.state !== 'running' || now.cameras.length < 2) return null;
  const at = now.cameras.findIndex(({ id }) => id === now.camera);
  return now.cameras[(at + 1) % now.cameras.length]!.id;
}
