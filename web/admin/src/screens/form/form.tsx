import { Navigate } from '@tanstack/react-router';
import { useEvent } from '../../frame/event.tsx';

/** The form begins with its days. */
export default function FormStart() {
  const { base } = useEvent();
  return <Navigate to="/$org/events/$event/form/days" params={base} replace />;
}
