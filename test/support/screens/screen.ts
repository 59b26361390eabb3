import type { Page } from 'playwright-core';

/** Who looks at a screen. */
export type Who = 'nobody' | 'owner' | 'beginner' | 'viewer' | 'sandbox';

/** What an operation answers instead of the server: a status and a body, or the server's own answer with something changed. */
// biome-ignore lint/suspicious/noExplicitAny: what comes from the server is changed as each screen needs it
export type MadeUp = readonly [status: number, body: unknown] | 'lost' | ((real: any) => unknown);

/** One screen of the app in one state, and how to get there. */
export interface Screen {
  name: string;
  as: Who;
  path: string;
  /** By method and end of the path (`POST /sign-in/password`), for states that would take long to bring about. */
  answers?: Readonly<Record<string, MadeUp>>;
  /** What is done once the screen is there. The page speaks English then. */
  act?: (page: Page) => Promise<unknown>;
  /** A form is being saved for as long as the screen is there: nobody waits for its end. */
  saving?: true;
  /** Only these widths, where something opens at one of them alone. */
  widths?: readonly number[];
}

export const REQUEST = '01JCQ8Z7M4T3V9R1X5K2N6P8DA';
export const refusal = (status: number, code: string, more: object = {}): MadeUp => [
  status,
  { error: { code, message: `The server says: ${code}.`, request_id: REQUEST, ...more } },
];

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
export const press = (page: Page, name: string | RegExp) => button(page, name).first().click();
export const inDialog = (page: Page) => page.getByRole('dialog').last();
export const said = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
/** Opens a menu and chooses from it. */
export async function choose(page: Page, menu: string | RegExp, item: string): Promise<void> {
  await press(page, menu);
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}
