import type { Division } from './division.ts'
import type { ShareOutput } from './lanes.ts'
import { type BandPreparation, shareBands } from './largest-remainder.ts'
import { type BandLayout, buildBandLayout, computeBandTotals, writeShares } from './sheet.ts'
import { routines } from './simd/engine.ts'
import { BAND_STEPS } from './simd/lines.ts'
import { createNeedLane, listTileMembers, type Tile } from './tile.ts'
import { createWaterLevels, findWaterLevels, type WaterLevels } from './water-level-search.ts'

const EVERYONE_FULL = 2 ** 31

/**
 * Weighted water-filling: the level per unit of weight rises for all, and a full member leaves the rest to the others.
 * `potOf` gives the maximum to share from the pool. A member outside the operation needs nothing, and so is full.
 */
export function divideByLevel(tile: Tile, given: number[], potOf: (pool: number) => number, shares: ShareOutput): void {
  const list = listTileMembers(tile).filter((member) => (given[member] ?? 0) > 0)
  const { division, length, pool } = tile
  if (list.length === 0) return
  division.length = length
  division.bound = 'fill'
  const sheet = buildBandLayout(list, division, (member) => ({
    ...createNeedLane(tile, member),
    weight: toWeightArray(given[member] ?? 0),
    weightAt: 0,
    mask: 0,
  }))
  const weights = list.reduce((sum, member) => sum + (given[member] ?? 0), 0)
  const equal = given.every((weight) => weight === 1)
  const levels = createWaterLevels()
  const open: BandPreparation = (band, from) => {
    const totals = computeBandTotals(sheet, band)
    prepareBand(division, levels, from, weights, totals, (at) => potOf(pool[at] ?? 0))
    findWaterLevels({ sheet, weights, equal }, levels, band, totals)
    for (const k of levels.open) {
      division.numerator[from + k] = levels.numerator[k] ?? 0
      division.denominator[from + k] = levels.denominator[k] ?? 1
    }
  }
  if (equal) fillBands(division, sheet, shares, open)
  else shareBands(division, sheet, shares, open)
  for (const from of sheet.bands)
    for (let at = from; at < from + BAND_STEPS && at < length; at++) tile.handed[at] = division.quota[at] ?? 0
}

const one = new Int32Array(1)
function toWeightArray(value: number): Int32Array {
  one[0] = value
  return one
}

/** Where there is enough for all, or nothing to share, no level is searched for. */
function prepareBand(
  division: Division,
  levels: WaterLevels,
  from: number,
  weights: number,
  totals: Float64Array,
  potAt: (at: number) => number,
): void {
  levels.open = []
  for (let k = 0; k < BAND_STEPS && from + k < division.length; k++) {
    const [pot, needed] = [potAt(from + k), totals[k] ?? 0]
    const enough = pot >= needed
    division.numerator[from + k] = enough ? EVERYONE_FULL : pot
    division.denominator[from + k] = enough ? 1 : weights
    division.quota[from + k] = enough ? needed : pot
    levels.pot[k] = pot
    if (pot > 0 && !enough) levels.open.push(k)
  }
}

function fillBands(division: Division, sheet: BandLayout, shares: ShareOutput, open: BandPreparation): void {
  for (const [band, from] of sheet.bands.entries()) {
    open(band, from, Math.min(division.length, from + BAND_STEPS))
    fillBand(division, sheet, band)
  }
  writeShares(sheet, division, shares)
}

/** Equal weights have equal remainders: the units left go to the first members that are not full. */
function fillBand({ numerator, denominator, length }: Division, sheet: BandLayout, band: number): void {
  const { room, size } = sheet
  const from = sheet.bands[band] ?? 0
  const need = sheet.need + band * size
  for (let k = 0; k < BAND_STEPS; k++) {
    const [n, d] = from + k < length ? [numerator[from + k] ?? 0, denominator[from + k] ?? 1] : [0, 1]
    room.low[k] = Math.min(Math.floor(n / d), EVERYONE_FULL - 1)
    room.high[k] = n === EVERYONE_FULL ? 0 : n % d
  }
  routines.rise(need, need + size)
}
