import { addDays, daysBetween } from '@voisol/energy/calendar'
import type { Step } from '@voisol/energy/series'
import { formatCount, formatFrenchDay } from '@voisol/file-formats/french'

/** Per step: 0 missing, 1 raw, 2 corrected, 3 estimated, 4 doubtful. */
export type ReadingQuality = 1 | 2 | 3 | 4

/** What is known of a local day. Without marks, all known steps have the one quality. */
export type DayReadings = { step: Step; watts: Int32Array; marks: Uint8Array | null; quality: ReadingQuality }

/** What is known of a day of a point. */
export type PointDayReadings = DayReadings & { pointId: string; day: string }

/** The array in a packed column. A buffer from the database may be unaligned in memory, so it is copied. */
export const unpackInts = (bytes: Uint8Array): Int32Array => new Int32Array(Uint8Array.from(bytes).buffer)

/** Epoch minutes as an ISO 8601 instant. */
export const formatMinuteAsIso = (minute: number): string => new Date(minute * 60_000).toISOString()

/** Consecutive days with the same number of affected steps. */
export type DayGap = { from: string; to: string; steps: number }

/** Days in order; those without an affected step are left out. */
export function buildGaps(days: { day: string; steps: number }[]): DayGap[] {
  const gaps: DayGap[] = []
  for (const { day, steps } of days) {
    if (steps === 0) continue
    const last = gaps.at(-1)
    if (last && last.to === day && last.steps === steps) last.to = addDays(day, 1)
    else gaps.push({ from: day, to: addDays(day, 1), steps })
  }
  return gaps
}

export const clipGaps = (gaps: DayGap[], from: string, to: string): DayGap[] =>
  gaps
    .map((gap) => ({ ...gap, from: gap.from > from ? gap.from : from, to: gap.to < to ? gap.to : to }))
    .filter((gap) => gap.from < gap.to)

export const countGapDays = (gaps: DayGap[]) => gaps.reduce((sum, { from, to }) => sum + daysBetween(from, to), 0)
export const countGapSteps = (gaps: DayGap[]) =>
  gaps.reduce((sum, { from, to, steps }) => sum + steps * daysBetween(from, to), 0)

/** Joins adjacent days, whatever their number of steps. */
function mergeAdjacentGaps(gaps: DayGap[]): { from: string; to: string }[] {
  const spans: { from: string; to: string }[] = []
  for (const { from, to } of gaps) {
    const last = spans.at(-1)
    if (last?.to === from) last.to = to
    else spans.push({ from, to })
  }
  return spans
}

const MAX_LISTED_GAPS = 3
const formatGapDays = ({ from, to }: { from: string; to: string }) =>
  addDays(from, 1) === to
    ? `le ${formatFrenchDay(from)}`
    : `du ${formatFrenchDay(from)} au ${formatFrenchDay(addDays(to, -1))}`

/** « du 06/05/2025 au 16/05/2025, le 20/05/2025 », then the number of the others. */
export function formatGaps(gaps: DayGap[]): string {
  const spans = mergeAdjacentGaps(gaps)
  const listed = spans.slice(0, MAX_LISTED_GAPS).map(formatGapDays).join(', ')
  const more = spans.length - MAX_LISTED_GAPS
  return more > 0 ? `${listed} et ${formatCount(more, 'autre période', 'autres périodes')}` : listed
}
