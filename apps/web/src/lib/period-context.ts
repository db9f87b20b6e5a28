import { createStore } from './stores.ts'

/** The days that are looked at. They travel from one screen to the next; all else of an address belongs to its screen. */
const PERIOD_PARAMS = ['unit', 'from', 'to'] as const

/** The days on screen, as an address names them: those that a screen chose by itself are in no address yet. */
export const displayedDays = createStore('')

/** The address, over the days of the present one unless it names its own. */
export function carryPeriod(to: string, search: string): string {
  const [, path = '', query = '', hash = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/.exec(to) ?? []
  const targetParams = new URLSearchParams(query)
  if (PERIOD_PARAMS.some((name) => targetParams.has(name))) return to
  const currentParams = new URLSearchParams(search)
  // Half a period is none: a list may have a « from » of its own.
  if (!PERIOD_PARAMS.every((name) => currentParams.has(name))) return to
  for (const name of PERIOD_PARAMS) targetParams.set(name, currentParams.get(name) ?? '')
  return `${path}?${targetParams}${hash}`
}

/** What another tab of the same screen starts with: the days, and nothing else of the last one. */
export const buildTabSearch = (tab: string, search: string) =>
  carryPeriod(`?onglet=${encodeURIComponent(tab)}`, search).slice(1)

/** Days as an address names them. */
export const buildPeriodSearch = ({ unit, from, to }: Record<(typeof PERIOD_PARAMS)[number], string>) =>
  String(new URLSearchParams({ unit, from, to }))
