import type { Writer } from './dwelling.ts'
import { type LoadDay, wallMinute } from './load-day.ts'
import { bell, drift, uniform } from './random.ts'
import type { Sheet } from './sheet.ts'
import type { Corners, Site } from './site-kinds.ts'

/** [hours, level] of each corner. */
const cornersOf = (text: Corners): [number, number][] =>
  text
    .split(', ')
    .filter((corner) => corner !== '')
    .map((corner) => {
      const [hours = 0, minutes = 0, percent = 0] = corner.split(/[: ]/).map(Number)
      return [hours + minutes / 60, percent / 100]
    })

/** Levels per quarter hour. */
function table(text: Corners, shift: number): Float64Array {
  const corners = cornersOf(text)
  return Float64Array.from({ length: 96 }, (_, quarter) => {
    const hour = quarter / 4 + 0.125 - shift / 60
    const next = corners.findIndex(([at]) => at > hour)
    const [after, before] = [corners[next], corners[next - 1]]
    if (!after || !before) return 0
    return before[1] + ((after[1] - before[1]) * (hour - before[0])) / (after[0] - before[0])
  })
}

/** Three weeks around 15 August and the last week of the year. */
const isClosed = ({ month, ordinal }: LoadDay) => (month === 8 && ordinal < 236) || ordinal >= 358 || ordinal <= 1

function activity(site: Site, day: LoadDay): number {
  if (site.closes && isClosed(day)) return 0.04
  if (day.holiday) return site.holiday
  return day.vacation ? site.vacation : 1
}

/** Full use of a site before its yearly energy is known: any number would do. */
const FULL = 10_000

function weekOf(site: Site, shift: number): Float64Array[] {
  const closed = table('', 0)
  const of = (corners: Corners | undefined) => (corners === undefined ? undefined : table(corners, shift))
  const work = table(site.work, shift)
  const monday = of(site.monday) ?? work
  const wednesday = of(site.wednesday) ?? work
  return [monday, work, wednesday, work, work, of(site.saturday) ?? closed, of(site.sunday) ?? closed]
}

type Traits = { site: Site; seed: number; phase: number; heat: number; cool: number; week: Float64Array[] }

function slotLevel(traits: Traits, day: LoadDay, since: number, outside: number, active: number): number {
  const { site, seed } = traits
  const wall = wallMinute(day, since)
  const quarter = Math.floor(since / 15)
  const open = (traits.week[day.weekday - 1]?.[Math.floor(wall / 15)] ?? 0) * active
  const comfort = Math.max(0, 15 - outside) * traits.heat + Math.max(0, outside - (site.coolsAbove ?? 22)) * traits.cool
  const dark = wall < day.sunrise || wall > day.sunset ? site.light : 0
  const slow = 1 + 0.05 * drift(seed, 71, (day.startsAt + since) / 150)
  let level = (site.base + open) * slow + comfort * (0.33 + 0.67 * Math.min(1, open)) + dark
  if (site.cycle) {
    const turn = (day.startsAt + since + traits.phase) / site.cycle.minutes
    level += site.cycle.level * (0.5 + 0.5 * Math.sin(2 * Math.PI * turn + drift(seed, 73, turn / 9)))
  }
  return level * (1 + site.grain * bell(seed, 72, day.index, quarter) * (open > 0.05 || site.cycle ? 1 : 0.4))
}

/** The days of a workplace or a shared installation. */
export function site(kind: Site, seed: number): Writer {
  const traits = {
    site: kind,
    seed,
    phase: 500 * uniform(seed, 61),
    heat: kind.heat * (0.5 + uniform(seed, 62)),
    cool: kind.cool * (0.4 + 1.2 * uniform(seed, 63)),
    week: weekOf(kind, kind.shift * 0.6 * bell(seed, 64)),
  }
  return (sheet: Sheet, day: LoadDay, temperatures: Float64Array) => {
    const active = activity(kind, day) * (1 + 0.05 * bell(seed, 65, day.index))
    for (let slot = 0; slot * sheet.width < day.minutes; slot++) {
      const since = slot * sheet.width
      const level = slotLevel(traits, day, since, temperatures[Math.floor(since / 60)] ?? 15, active)
      sheet.watts[slot] = (sheet.watts[slot] ?? 0) + FULL * Math.max(0, level)
    }
  }
}

/** Lamps from dusk to dawn: dimmed at night, or off between midnight and five in a good part of the towns. */
export function streetLighting(seed: number): Writer {
  const off = uniform(seed, 66) < 0.4
  const dimmed = off ? 0.015 : 0.55
  const delay = 6 + 14 * uniform(seed, 67)
  return (sheet, day) => {
    for (let slot = 0; slot * sheet.width < day.minutes; slot++) {
      const wall = wallMinute(day, slot * sheet.width)
      const lit = (from: number, to: number) =>
        Math.max(0, Math.min(wall + sheet.width, to) - Math.max(wall, from)) / sheet.width
      const night = wall >= (off ? 0 : 1380) || wall < 300
      const on = lit(0, day.sunrise - delay) + lit(day.sunset + delay, 1440)
      const level = on * (night && (wall < 300 || !off) ? dimmed : 1) + 0.01
      sheet.watts[slot] = FULL * level * (1 + 0.004 * bell(seed, 68, day.index, Math.floor(wall / 15)))
    }
  }
}
