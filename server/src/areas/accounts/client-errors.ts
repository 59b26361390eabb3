import { networkOf } from '../../common/network.ts';
import type { AccountCall } from './call.ts';
import { takeOfHour } from './throttle.ts';

const AN_HOUR = 60;

interface ClientError {
  message: string;
  stack?: string;
  screen?: string;
  request_id?: string;
}

/**
 * Writes an error of the browser app into the log, in one line. What is beyond the number that one network may report in an hour is
 * dropped: a broken screen in a loop must not fill the log.
 */
export async function reportClientError(call: AccountCall<ClientError, 'none'>): Promise<undefined> {
  const wait = await call.work((tx) =>
    takeOfHour(tx, call.secrets, `client errors ${networkOf(call.request.address)}`, AN_HOUR),
  );
  if (wait > 0) return undefined;
  const { message, stack, screen, request_id } = call.body;
  const client_error = { message, stack, screen, request_id };
  call.log.warn({ request_id: call.request.id, client_error }, 'an error in a browser');
  return undefined;
}
