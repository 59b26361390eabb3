import { useEffect, useErrorBoundary } from 'preact/hooks';
import { engine, inKiosk, manifest, obstacle, place, point, stopped, testing } from './parts/session.ts';
import { AttendanceList } from './screens/attendance.tsx';
import { Disagreements } from './screens/disagreements.tsx';
import { Events } from './screens/events.tsx';
import { Kiosk } from './screens/kiosk.tsx';
import { Last } from './screens/last.tsx';
import { NotRecorded } from './screens/not-recorded.tsx';
import { Pair } from './screens/pair.tsx';
import { Points } from './screens/points.tsx';
import { Scan } from './screens/scan.tsx';
import { Settings } from './screens/settings.tsx';
import { Start } from './screens/start.tsx';
import { Statistics } from './screens/statistics.tsx';
import { Stopped } from './screens/stopped.tsx';

const PLACES = {
  pair: Pair,
  events: Events,
  points: Points,
  settings: Settings,
  statistics: Statistics,
  attendance: AttendanceList,
  last: Last,
  'not-recorded': NotRecorded,
  disagreements: Disagreements,
} as const;

export function App() {
  const [broken, mend] = useErrorBoundary((error) => reportError(error));
  const test = testing.value;
  useEffect(() => {
    document.documentElement.toggleAttribute('data-test', test);
  }, [test]);
  if (broken !== undefined) return <Start why="failed" onPair={mend} />;
  return <Screen />;
}

function Screen() {
  if (obstacle.value !== null) return <Start why={obstacle.value} />;
  if (engine.value === null) return <Pair />;
  if (inKiosk.value) return <Kiosk />;
  if (place.value !== null) {
    const Place = PLACES[place.value];
    return <Place />;
  }
  if (stopped.value !== null) return <Stopped />;
  const gone = manifest.value?.check_in_points.every(({ code }) => code !== point.value) ?? true;
  return point.value === null || gone ? <Points /> : <Scan />;
}
