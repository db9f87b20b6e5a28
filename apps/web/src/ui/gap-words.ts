import { seatName } from '@voisol/contract/points'
import { addDays, daysBetween } from '@voisol/energy/calendar'
import { plural } from '../lib/format.ts'
import { daysLabel } from './period/label.ts'

type Gap = { from: string; to: string; steps: number }

export const daysIn = (gaps: Gap[]) => gaps.reduce((sum, { from, to }) => sum + daysBetween(from, to), 0)
export const stepsIn = (gaps: Gap[]) =>
  gaps.reduce((sum, { from, to, steps }) => sum + steps * daysBetween(from, to), 0)

const SHOWN = 3

/** « du 6 au 16 mai 2025, le 20 mai 2025 »: neighbours are said as one, the first few by name. */
export function gapWords(gaps: Gap[]): string {
  const spans: { from: string; to: string }[] = []
  for (const { from, to } of gaps) {
    const last = spans.at(-1)
    if (last?.to === from) last.to = to
    else spans.push({ from, to })
  }
  const named = spans.slice(0, SHOWN).map(({ from, to }) => daysLabel(from, addDays(to, -1)))
  const more = spans.length - SHOWN
  return `${named.join(', ')}${more > 0 ? ` et ${plural(more, 'autre période', 'autres périodes')}` : ''}`
}

/** The dwelling and who lives there; the number of the meter stands beside it. */
export const meterName = ({ label, holder }: { label: string; holder: string }) => seatName(label, holder) || 'Compteur'
