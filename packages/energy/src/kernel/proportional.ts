import type { ShareOutput } from './lanes.ts'
import { shareBands } from './largest-remainder.ts'
import { buildBandLayout, computeBandTotals } from './sheet.ts'
import { createNeedLane, listTileMembers, type Tile } from './tile.ts'

/** Serves a group in proportion to its needs from what is left, and subtracts what it took. */
function serveByNeed(tile: Tile, group: number[], left: Float64Array, shares: ShareOutput): void {
  const { division, length, handed } = tile
  division.length = length
  division.bound = 'need'
  const sheet = buildBandLayout(group, division, (member) => createNeedLane(tile, member))
  shareBands(division, sheet, shares, (band, from, to) => {
    const totals = computeBandTotals(sheet, band)
    for (let at = from; at < to; at++) {
      const total = totals[at - from] ?? 0
      const rest = left[at] ?? 0
      const enough = rest >= total
      division.numerator[at] = enough ? 1 : rest
      division.denominator[at] = enough ? 1 : total
      division.quota[at] = enough ? total : rest
    }
  })
  for (let at = 0; at < length; at++) {
    const taken = division.handed[at] ?? 0
    left[at] = (left[at] ?? 0) - taken
    handed[at] = (handed[at] ?? 0) + taken
  }
}

export function divideByNeed(tile: Tile, shares: ShareOutput): void {
  if (tile.consumers.length > 0) serveByNeed(tile, listTileMembers(tile), tile.pool, shares)
}

/** A rank with one member needs no division: it takes what it needs of what is left. */
function serveMember(tile: Tile, member: number, left: Float64Array, { outs, outAt }: ShareOutput): void {
  const { need, needAt } = createNeedLane(tile, member)
  const { length, handed } = tile
  const out = outs[member]
  if (!out) return
  for (let at = 0; at < length; at++) {
    const taken = Math.min(need[needAt + at] ?? 0, left[at] ?? 0)
    out[outAt + at] = taken
    left[at] = (left[at] ?? 0) - taken
    handed[at] = (handed[at] ?? 0) + taken
  }
}

/** Consumers by rank, the unranked last. */
export function groupByRank(ids: string[], ranks: Record<string, number>): number[][] {
  const byRank = Map.groupBy(ids.keys(), (member) => ranks[ids[member] ?? ''] ?? Number.POSITIVE_INFINITY)
  return [...byRank].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group)
}

export function divideByRank(tile: Tile, groups: number[][], shares: ShareOutput): void {
  const { division, pool } = tile
  for (const group of groups) {
    const [first] = group
    // Arrays start at zero: once nothing is left, the lower ranks are done.
    division.lit = division.lit.filter((at) => (pool[at] ?? 0) > 0)
    if (division.lit.length === 0) return
    if (group.length === 1 && first !== undefined) serveMember(tile, first, pool, shares)
    else serveByNeed(tile, group, pool, shares)
  }
}
