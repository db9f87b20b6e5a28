import { formatDwellingName } from '@voisol/contract/points'
import { addDays, daysBetween } from '@voisol/energy/calendar'
import { formatCount } from '../lib/format.ts'
import { formatDayRange } from './period/label.ts'

type Gap = { from: string; to: string; steps: number }

export const countGapDays = (gaps: Gap[]) => gaps.reduce((sum, { from, to }) => sum + daysBetween(from, to), 0)
export const countMissingSteps = (gaps: Gap[]) =>
  gaps.reduce((sum, { from, to, steps }) => sum + steps * daysBetween(from, to), 0)

const MAX_NAMED_GAPS = 3

/** « du 6 au 16 mai 2025, le 20 mai 2025 »: neighbours are said as one, the first few by name. */
export function formatGaps(gaps: Gap[]): string {
  const spans: { from: string; to: string }[] = []
  for (const { from, to } of gaps) {
    const last = spans.at(-1)
    if (last?.to === from) last.to = to
    else spans.push({ from, to })
  }
  const namedRanges = spans.slice(0, MAX_NAMED_GAPS).map(({ from, to }) => formatDayRange(from, addDays(to, -1)))
  const more = spans.length - MAX_NAMED_GAPS
  return `${namedRanges.join(', ')}${more > 0 ? ` et ${formatCount(more, 'autre période', 'autres périodes')}` : ''}`
}

/** The dwelling and who lives there; the number of the meter stands beside it. */
export const getMeterName = ({ label, holder }: { label: string; holder: string }) =>
  formatDwellingName(label, holder) || 'Compteur'
