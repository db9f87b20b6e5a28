import { listDays, monthOf } from '@voisol/energy/calendar'
import type { Db } from '../../../db/client.ts'
import { today } from '../../../today.ts'
import { type Columns, emptyColumns, firstDays, SIDES, type Side, startsOf, worsen } from './buckets.ts'
import { type Seat, sideOf } from './crews.ts'
import { type Both, keptOver } from './kept-sums.ts'
import type { Period } from './period.ts'
import { cut, type Piece } from './pieces.ts'
import type { Member } from './scope.ts'
import { measured, shared } from './sums.ts'
import { sceneOf } from './totals.ts'

type Unit = 'day' | 'month'

/** Days and months are summed by the database. */
export async function dayColumns(db: Db, companyId: number, members: Member[], period: Period, unit: Unit) {
  const scene = await sceneOf(db, companyId, members, period, sideOf)
  const read = await measured(db, companyId, scene.pieces, unit)
  const run = await shared(db, companyId, scene, unit)
  return filled(members, scene.pieces, { read, run }, period, unit)
}

/** Of whole operations they are kept. */
export async function keptDays(db: Db, companyId: number, crews: Seat[], period: Period, unit: Unit) {
  const both = await keptOver(db, companyId, crews, [period], unit, () => 0)
  return filled(crews, cut(crews, period, sideOf), both, period, unit)
}

function filled(seats: Seat[], pieces: Piece[], { read, run }: Both, period: Period, unit: Unit): Columns {
  const days = firstDays(period, unit)
  const columns = emptyColumns(startsOf(days, period), null, seats)
  const due = dueDays(pieces, days, period)
  for (const [group, name] of SIDES.entries()) {
    const side: Side = columns[name]
    for (const [at, day] of days.entries()) {
      const own = read.get(group)?.get(day)
      const expected = due[group]?.[at] ?? 0
      if (own?.present) {
        side.read[at] = own.energy
        side.known[at] = own.present
      }
      if (expected) worsen(columns.marks, at, !own || own.holes || own.days < expected ? 0 : own.quality)
      const given = run.get(group)?.get(day)
      if (!given || given.steps === given.excluded) continue
      side.local[at] = given.local
      side.rest[at] = given.total - given.local
      side.held[at] = given.steps - given.excluded
      side.heldRest[at] = given.steps - given.excluded
    }
  }
  return columns
}

/** By direction and bucket, how many days of points there should be by now. */
function dueDays(pieces: Piece[], days: string[], period: Period): Float64Array[] {
  const all = listDays(period.from, period.to)
  const indexOf = new Map(all.map((day, at) => [day, at]))
  const bucketOf = new Map(days.map((day, at) => [day, at]))
  const now = today()
  const monthly = days.length !== all.length || days[0] !== all[0]
  return SIDES.map((_, group) => {
    const changes = new Int32Array(all.length + 1)
    for (const { group: own, lo, hi, count = 1 } of pieces) {
      if (own !== group) continue
      const [first, last] = [indexOf.get(lo) ?? 0, indexOf.get(hi) ?? all.length]
      changes[first] = (changes[first] ?? 0) + count
      changes[last] = (changes[last] ?? 0) - count
    }
    const due = new Float64Array(days.length)
    let active = 0
    for (const [at, day] of all.entries()) {
      active += changes[at] ?? 0
      const bucket = bucketOf.get(monthly ? monthOf(day) : day) ?? 0
      if (day < now) due[bucket] = (due[bucket] ?? 0) + active
    }
    return due
  })
}
