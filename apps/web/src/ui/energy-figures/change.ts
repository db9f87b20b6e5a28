import type { Summary, Totals } from '@voisol/contract/energy'
import type { Change } from '../tile.tsx'
import type { Line } from './lines.ts'

export type Earlier = { totals: Totals; against: string; season: boolean }

/**
 * What a period is held against: the same days of the year before, where they are known; else the days just before,
 * which had another sun, so that nothing is called good or bad.
 */
export function earlierOf({ from, lastYear, previous }: Summary, before: string): Earlier | null {
  if (lastYear) return { totals: lastYear, against: `la même période de ${Number(from.slice(0, 4)) - 1}`, season: true }
  return previous && { totals: previous, against: before, season: false }
}

/** More than that of a whole and the parts told are not those of the whole. */
const MUCH = 1 / 200
const isWhole = ({ pending }: Line, totals: Totals) => !pending || pending(totals) <= MUCH

export function changeOf(line: Line, current: Totals, earlier: Earlier | null): Change | undefined {
  if (!earlier || !isWhole(line, current) || !isWhole(line, earlier.totals)) return undefined
  const [now, before] = [line.of(current), line.of(earlier.totals)]
  if (now === null || !before || now === 0) return undefined
  const { good, points } = line
  const ratio = points ? now - before : now / before - 1
  return { ratio, against: earlier.against, good: earlier.season ? good : undefined, points }
}
