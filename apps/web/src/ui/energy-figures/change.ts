import type { EnergySummary, PeriodEnergyTotals } from '@voisol/contract/energy'
import type { FigureChange } from '../tile.tsx'
import type { EnergyFigureLine } from './lines.ts'

export type ComparisonBase = { totals: PeriodEnergyTotals; against: string; season: boolean }

/**
 * What a period is held against: the same days of the year before, where they are known; else the days just before,
 * which had another sun, so that nothing is called good or bad.
 */
export function chooseComparisonBase(
  { from, lastYear, previous }: EnergySummary,
  before: string,
): ComparisonBase | null {
  if (lastYear) return { totals: lastYear, against: `la même période de ${Number(from.slice(0, 4)) - 1}`, season: true }
  return previous && { totals: previous, against: before, season: false }
}

/** More than that of a whole and the parts told are not those of the whole. */
const MAX_PENDING_SHARE = 1 / 200
const isComplete = ({ pending }: EnergyFigureLine, totals: PeriodEnergyTotals) =>
  !pending || pending(totals) <= MAX_PENDING_SHARE

export function computeChange(
  line: EnergyFigureLine,
  current: PeriodEnergyTotals,
  earlier: ComparisonBase | null,
): FigureChange | undefined {
  if (!earlier || !isComplete(line, current) || !isComplete(line, earlier.totals)) return undefined
  const [now, before] = [line.of(current), line.of(earlier.totals)]
  if (now === null || !before || now === 0) return undefined
  const { good, points } = line
  const ratio = points ? now - before : now / before - 1
  return { ratio, against: earlier.against, good: earlier.season ? good : undefined, points }
}
