import { addDays, daysBetween } from '@voisol/energy/calendar'
import { frenchDay, plural } from '../french.ts'

/** Days alike, one after the other, and how many steps of each are concerned. */
export type Gap = { from: string; to: string; steps: number }

/** Days in their order; those without any step are left out. */
export function gapsOf(days: { day: string; steps: number }[]): Gap[] {
  const gaps: Gap[] = []
  for (const { day, steps } of days) {
    if (steps === 0) continue
    const last = gaps.at(-1)
    if (last && last.to === day && last.steps === steps) last.to = addDays(day, 1)
    else gaps.push({ from: day, to: addDays(day, 1), steps })
  }
  return gaps
}

export const clipGaps = (gaps: Gap[], from: string, to: string): Gap[] =>
  gaps
    .map((gap) => ({ ...gap, from: gap.from > from ? gap.from : from, to: gap.to < to ? gap.to : to }))
    .filter((gap) => gap.from < gap.to)

export const daysIn = (gaps: Gap[]) => gaps.reduce((sum, { from, to }) => sum + daysBetween(from, to), 0)
export const stepsIn = (gaps: Gap[]) =>
  gaps.reduce((sum, { from, to, steps }) => sum + steps * daysBetween(from, to), 0)

/** Neighbours become one, however many steps each day has. */
function spansOf(gaps: Gap[]): { from: string; to: string }[] {
  const spans: { from: string; to: string }[] = []
  for (const { from, to } of gaps) {
    const last = spans.at(-1)
    if (last?.to === from) last.to = to
    else spans.push({ from, to })
  }
  return spans
}

const MOST = 3
const spanWords = ({ from, to }: { from: string; to: string }) =>
  addDays(from, 1) === to ? `le ${frenchDay(from)}` : `du ${frenchDay(from)} au ${frenchDay(addDays(to, -1))}`

/** « du 06/05/2025 au 16/05/2025, le 20/05/2025 », the first few by name. */
export function gapWords(gaps: Gap[]): string {
  const spans = spansOf(gaps)
  const named = spans.slice(0, MOST).map(spanWords).join(', ')
  const more = spans.length - MOST
  return more > 0 ? `${named} et ${plural(more, 'autre période', 'autres périodes')}` : named
}
