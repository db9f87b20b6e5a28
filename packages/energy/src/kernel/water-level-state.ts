import type { LaneOf } from './lanes.ts'
import { needLane, type Tile } from './tile.ts'

export const EVERYONE_FULL = 2 ** 31

/** How many are noted near to the level of a step. */
export const ROOM = 64

/**
 * Those who are not full yet but would be at the level of `reach`, by step: how many, their needs and their weights. It tells
 * about levels from `low` on. `hits` are the steps where one of the lanes at work is to be noted.
 */
export type Near = {
  low: Float64Array
  reach: Float64Array
  count: Int32Array
  needs: Int32Array
  weights: Int32Array
  hits: Int32Array
}

/** A water level for each step of a tile: how much there is to share, for which needs, and the weights, which never change. */
export type Level = {
  list: number[]
  given: number[]
  /** Of everyone: who is not in the operation needs nothing, and so is full at any level. */
  weights: number
  laneOf: LaneOf
  pot: Float64Array
  needs: Float64Array
  /** Of those who are full, in two widths: a step has its sums in one of them, and nothing in the other. */
  fullNeed: Int32Array
  fullWeight: Int32Array
  largeNeed: Float64Array
  largeWeight: Float64Array
  near: Near
}

export function createLevel(tile: Tile, list: number[], given: number[]): Level {
  const doubles = () => new Float64Array(tile.length)
  const integers = () => new Int32Array(tile.length)
  const many = () => new Int32Array(tile.length * ROOM)
  const laneOf: LaneOf = (member, place) => needLane(tile, member, place)
  const weights = list.reduce((sum, member) => sum + (given[member] ?? 0), 0)
  const full = { fullNeed: integers(), fullWeight: integers(), largeNeed: doubles(), largeWeight: doubles() }
  const near = { low: doubles(), reach: doubles(), count: integers(), needs: many(), weights: many(), hits: integers() }
  const needs = doubles()
  if (list.length === tile.consumers.length && !tile.anyClosed) needs.set(tile.total)
  else
    for (const member of list) {
      const { need, needAt } = laneOf(member, 0)
      for (let at = 0; at < tile.length; at++) needs[at] = (needs[at] ?? 0) + (need[needAt + at] ?? 0)
    }
  return { list, given, weights, laneOf, pot: doubles(), needs, ...full, near }
}
