import { createStore } from './store.ts'

/** The days that are looked at. They travel from one screen to the next; all else of an address belongs to its screen. */
const PERIOD = ['unit', 'from', 'to'] as const

/** The days on screen, as an address names them: those that a screen chose by itself are in no address yet. */
export const shownDays = createStore('')

/** The address, over the days of the present one unless it names its own. */
export function withContext(to: string, search: string): string {
  const [, path = '', query = '', hash = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/.exec(to) ?? []
  const wanted = new URLSearchParams(query)
  if (PERIOD.some((name) => wanted.has(name))) return to
  const present = new URLSearchParams(search)
  // Half a period is none: a list may have a « from » of its own.
  if (!PERIOD.every((name) => present.has(name))) return to
  for (const name of PERIOD) wanted.set(name, present.get(name) ?? '')
  return `${path}?${wanted}${hash}`
}

/** What another tab of the same screen starts with: the days, and nothing else of the last one. */
export const tabSearch = (tab: string, search: string) =>
  withContext(`?onglet=${encodeURIComponent(tab)}`, search).slice(1)

/** Days as an address names them. */
export const daysSearch = ({ unit, from, to }: Record<(typeof PERIOD)[number], string>) =>
  String(new URLSearchParams({ unit, from, to }))
