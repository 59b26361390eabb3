import type { Page } from 'playwright-core';

/** Goes to a section of the event that is open, and to a screen in it, by the navigation at the side of a wide window. */
export async function goInEvent(page: Page, section: string, screen?: string): Promise<void> {
  const navigation = page.getByRole('navigation', { name: 'Navigation of this event' });
  await navigation.getByRole('link', { name: section, exact: true }).click();
  if (screen !== undefined) await navigation.getByRole('link', { name: screen, exact: true }).click();
}
