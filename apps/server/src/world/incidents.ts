import { addDays, daysBetween } from '@voisol/energy/calendar'
import { MISSING } from '@voisol/energy/series'
import { BROKEN, DIRTY } from './berges.ts'
import { home } from './berges-homes.ts'
import { hiddenFaults } from './hidden-faults.ts'
import type { Site } from './readings.ts'
import { SILENT } from './rhone-sud.ts'
import { dayIn } from './scale.ts'
import { flat } from './tilleuls.ts'

type Quality = 1 | 2 | 3
export type Reading = { watts: Int32Array; quality: Quality }
/** What is received for a day where the meter read `watts`; null where nothing is. */
export type Incident = {
  ref: string
  from: string
  to: string
  change: (watts: Int32Array, day: string, site?: Site) => Reading | null
}

const nothing = () => null
const raw = (watts: Int32Array): Reading => ({ watts, quality: 1 })
const estimated = (watts: Int32Array): Reading => ({ watts, quality: 3 })
const without = (from: number, to: number) => (watts: Int32Array) =>
  raw(watts.map((value, at) => (at >= from * 4 && at < to * 4 ? MISSING : value)))
const times = (factor: (day: string) => number) => (watts: Int32Array, day: string) =>
  raw(watts.map((value) => Math.round(value * factor(day))))

const DIRTY_DAYS = 35
const CLEANED_AFTER = 10
const LOST = 0.5

/** Dirt takes more each day, until somebody cleans the panels. */
const dirt = (anchor: string) => (day: string) =>
  1 - LOST * Math.min(1, Math.max(0, (DIRTY_DAYS - daysBetween(day, anchor)) / DIRTY_DAYS))

/** What goes wrong between a meter and its readings, all told from the day the demo was made. */
export function incidentsOf(anchor: string): Incident[] {
  const one = (ref: string, day: string, change: Incident['change'], days = 1) => ({
    ref,
    from: day,
    to: addDays(day, days),
    change,
  })
  return [
    one(flat(8), dayIn(anchor, -2, 9), without(13, 16)),
    one(flat(20), dayIn(anchor, -6, 21), nothing),
    one(home(27), dayIn(anchor, -1, 4), without(7, 11)),
    one('berges laundry', dayIn(anchor, -3, 6), nothing, 2),
    one(home(63), dayIn(anchor, -9, 14), without(0, 6)),
    one(home(40), dayIn(anchor, -2, 18), estimated, 3),
    one(home(55), dayIn(anchor, -2, 18), estimated, 2),
    one('rhone canteen', dayIn(anchor, -5, 3), estimated, 2),
    { ref: SILENT, from: addDays(anchor, -5), to: addDays(anchor, 2), change: nothing },
    one(
      BROKEN,
      dayIn(anchor, -2, 11),
      times(() => 0),
      6,
    ),
    { ref: DIRTY, from: addDays(anchor, -DIRTY_DAYS), to: addDays(anchor, CLEANED_AFTER), change: times(dirt(anchor)) },
    ...hiddenFaults(anchor),
  ]
}

/** Readings that came wrong and were corrected later. */
export type Correction = { ref: string; from: string; days: number; first: number; receivedOn: string }

/** Two that were settled before the figures were made, and two that came after. */
export function correctionsOf(anchor: string) {
  const soon: Correction[] = [
    { ref: flat(5), from: dayIn(anchor, -1, 10), days: 5, first: 0.78, receivedOn: addDays(anchor, -4) },
    { ref: 'berges library', from: dayIn(anchor, -1, 12), days: 3, first: 1.22, receivedOn: addDays(anchor, -4) },
  ]
  const late = {
    redone: { ref: flat(11), from: dayIn(anchor, -4, 5), days: 4, first: 1.8, receivedOn: addDays(anchor, -9) },
    open: { ref: 'berges lab', from: dayIn(anchor, -3, 19), days: 3, first: 0.7, receivedOn: addDays(anchor, -1) },
  }
  return { soon, late }
}
