import { type BandLayout, buildBandLayout, computeBandTotals, writeShares } from './band-layout.ts'
import type { Division, ShareOutput } from './division.ts'
import { type BandPreparation, shareBands } from './largest-remainder.ts'
import { type KernelMemory, routines } from './simd/engine.ts'
import { MAX_SMALL_POT } from './simd/levels.ts'
import { BAND_STEPS, LINE_BYTES } from './simd/memory-layout.ts'
import { createNeedLane, listTileMembers, type Tile } from './tile.ts'

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

/**
 * One member in so many is sampled to guess the level; with fewer members than the minimum, sampling is not worth it.
 */
const SAMPLE_INTERVAL = 16
const MIN_SAMPLED_MEMBERS = 128
/** How often a sample is iterated: closer to its own level, it says no more about that of all members. */
const SAMPLE_TURNS = 5
/** Needs with a smaller sum are added as integers, whoever is assumed to be full. */
const MAX_INTEGER_SUM = 2 ** 31
/** At this level no member is full. */
const NO_LEVEL = -1
/** How many approximate passes over all members come before the exact ones. */
const APPROXIMATE_TURNS = 4

/** The levels of a band, as numerator / denominator; `open` lists the steps where they are still to be found. */
type WaterLevels = {
  open: number[]
  pot: Float64Array
  numerator: Float64Array
  denominator: Float64Array
}

const createWaterLevels = (): WaterLevels => ({
  open: [],
  pot: new Float64Array(BAND_STEPS),
  numerator: new Float64Array(BAND_STEPS),
  denominator: new Float64Array(BAND_STEPS),
})

/** Weights are one integer each, with the sum `weights`; `equal` where they are all one. */
type WeightedLayout = { sheet: BandLayout; weights: number; equal: boolean }

/**
 * Finds the level at which every member whose need is at most weight × level is full, and the others share the rest by
 * weight. Whichever members are assumed full, the next level is not above the right one: a wrong guess only costs a
 * pass, and from below the level rises until no further member is full.
 */
function findWaterLevels(weighed: WeightedLayout, levels: WaterLevels, band: number, totals: Float64Array): void {
  const { pot, numerator, denominator, open } = levels
  for (const k of open) {
    numerator[k] = pot[k] ?? 0
    denominator[k] = weighed.weights
  }
  const small = open.filter((k) => (totals[k] ?? 0) < MAX_INTEGER_SUM)
  guessLevels(weighed, levels, small, band)
  let near = weighed.equal ? [] : small
  for (let turn = 0; turn < APPROXIMATE_TURNS && near.length > 0; turn++)
    near = updateLevels(weighed, levels, near, sumFullApproximately(weighed, levels, near, band, 1))
  let left = open
  while (left.length > 0) left = updateLevels(weighed, levels, left, sumFullExactly(weighed, levels, left, band, 1))
}

/** The levels that follow from who is full; returns the steps where they changed. */
function updateLevels(
  { weights }: WeightedLayout,
  levels: WaterLevels,
  open: number[],
  { sums, counts }: KernelMemory,
): number[] {
  const { pot, numerator, denominator } = levels
  return open.filter((k) => {
    const left = (pot[k] ?? 0) - (sums[k] ?? 0)
    const rest = weights - (counts[k] ?? 0)
    if (numerator[k] === left && denominator[k] === rest) return false
    // A guess so high that nothing is left restarts from the level where no member is full.
    const lost = rest <= 0 || left < 0
    numerator[k] = lost ? (pot[k] ?? 0) : left
    denominator[k] = lost ? weights : rest
    return true
  })
}

/** Starts at the level of a sample of members with its part of the pool. */
function guessLevels(weighed: WeightedLayout, levels: WaterLevels, open: number[], band: number): void {
  const { pot, numerator, denominator } = levels
  const { weights, sheet, equal } = weighed
  if (sheet.members.length < MIN_SAMPLED_MEMBERS) return
  let whole = 0
  for (let order = 0; order < sheet.members.length; order += SAMPLE_INTERVAL)
    whole += sheet.room.ints[sheet.weight / 4 + order] ?? 0
  for (let turn = 0; turn < SAMPLE_TURNS; turn++) {
    const { sums, counts } = (equal ? sumFullExactly : sumFullApproximately)(
      weighed,
      levels,
      open,
      band,
      SAMPLE_INTERVAL,
    )
    for (const k of open) {
      const left = ((pot[k] ?? 0) * whole) / weights - (sums[k] ?? 0)
      const rest = whole - (counts[k] ?? 0)
      if (rest <= 0 || left <= 0) continue
      numerator[k] = left
      denominator[k] = rest
    }
  }
}

/**
 * Needs and weights of the members that are full at the current level, in a sample; those exactly at the level may be
 * wrong.
 */
function sumFullApproximately(
  { sheet }: WeightedLayout,
  { numerator, denominator }: WaterLevels,
  open: number[],
  band: number,
  every: number,
) {
  const { room, size, weight } = sheet
  const need = sheet.need + band * size
  room.near.fill(NO_LEVEL)
  for (const k of open) room.near[k] = (numerator[k] ?? 0) / (denominator[k] ?? 1)
  routines.fullNearly(need, need + size, every * LINE_BYTES, weight, every * 4)
  return room
}

/** The same, exactly. */
function sumFullExactly(weighed: WeightedLayout, levels: WaterLevels, open: number[], band: number, every: number) {
  const { sheet, equal } = weighed
  const { room, size, weight } = sheet
  const need = sheet.need + band * size
  const small = open.every((k) => (levels.pot[k] ?? 0) < MAX_SMALL_POT)
  room.ratio.fill(small ? 0 : NO_LEVEL)
  room.under.fill(1)
  room.low.fill(NO_LEVEL)
  for (const k of open) {
    const [n, d] = [levels.numerator[k] ?? 0, levels.denominator[k] ?? 1]
    room.ratio[k] = small ? n / d : n
    room.under[k] = d
    room.low[k] = Math.floor(n / d)
  }
  if (equal) routines.fullByOne(need, need + size, every * LINE_BYTES)
  else routines[small ? 'fullByRatio' : 'fullByWeight'](need, need + size, every * LINE_BYTES, weight, every * 4)
  return room
}
