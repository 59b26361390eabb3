import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';

/**
 * The token of a link stands in the fragment of the address, which no server sees. It is also kept for this tab, so that somebody
 * who signs in on the way finds it again: in `?then=` it would reach the log of the server.
 */
export function useToken(screen: 'start' | 'invitation' | 'email' | 'link' | 'sandbox'): string | null {
  const { hash } = useLocation();
  const place = `turnout.link.${screen}`;
  const token = TOKEN.test(hash) ? hash : readToken(place);
  useEffect(() => {
    if (token !== null) write(place, token);
  }, [place, token]);
  return token;
}

/** After it was used. */
export function forgetToken(screen: string): void {
  write(`turnout.link.${screen}`, null);
}

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

function readToken(place: string): string | null {
  try {
    return sessionStorage.getItem(place);
  } catch {
    return null;
  }
}
function write(place: string, token: string | null): void {
  try {
    if (token === null) sessionStorage.removeItem(place);
    else sessionStorage.setItem(place, token);
  } catch {
    // Then the link is opened again after signing in.
  }
}
