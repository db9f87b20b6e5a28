import type { DayLoadWriter } from './dwelling.ts'
import { type ModelDay, toWallMinute } from './load-day.ts'
import { drawBell, drawDrift, drawUniform } from './random.ts'
import type { DayLoad } from './sheet.ts'
import type { ActivityCurve, SiteKind } from './site-kinds.ts'

/** [hours, level] of each corner. */
const parseActivityCurve = (text: ActivityCurve): [number, number][] =>
  text
    .split(', ')
    .filter((corner) => corner !== '')
    .map((corner) => {
      const [hours = 0, minutes = 0, percent = 0] = corner.split(/[: ]/).map(Number)
      return [hours + minutes / 60, percent / 100]
    })

/** Levels per quarter hour. */
function buildActivityLevels(text: ActivityCurve, shift: number): Float64Array {
  const corners = parseActivityCurve(text)
  return Float64Array.from({ length: 96 }, (_, quarter) => {
    const hour = quarter / 4 + 0.125 - shift / 60
    const next = corners.findIndex(([at]) => at > hour)
    const [after, before] = [corners[next], corners[next - 1]]
    if (!after || !before) return 0
    return before[1] + ((after[1] - before[1]) * (hour - before[0])) / (after[0] - before[0])
  })
}

/** Three weeks around 15 August and the last week of the year. */
const isClosed = ({ month, ordinal }: ModelDay) => (month === 8 && ordinal < 236) || ordinal >= 358 || ordinal <= 1

function getActivityLevel(site: SiteKind, day: ModelDay): number {
  if (site.closes && isClosed(day)) return 0.04
  if (day.holiday) return site.holiday
  return day.vacation ? site.vacation : 1
}

/** Full use of a site before it is scaled to its yearly energy: any number would do. */
const FULL_USE_WATTS = 10_000

function buildWeek(site: SiteKind, shift: number): Float64Array[] {
  const closed = buildActivityLevels('', 0)
  const of = (corners: ActivityCurve | undefined) =>
    corners === undefined ? undefined : buildActivityLevels(corners, shift)
  const work = buildActivityLevels(site.work, shift)
  const monday = of(site.monday) ?? work
  const wednesday = of(site.wednesday) ?? work
  return [monday, work, wednesday, work, work, of(site.saturday) ?? closed, of(site.sunday) ?? closed]
}

type SiteTraits = { site: SiteKind; seed: number; phase: number; heat: number; cool: number; week: Float64Array[] }

function computeSlotLevel(traits: SiteTraits, day: ModelDay, since: number, outside: number, active: number): number {
  const { site, seed } = traits
  const wall = toWallMinute(day, since)
  const quarter = Math.floor(since / 15)
  const open = (traits.week[day.weekday - 1]?.[Math.floor(wall / 15)] ?? 0) * active
  const comfort = Math.max(0, 15 - outside) * traits.heat + Math.max(0, outside - (site.coolsAbove ?? 22)) * traits.cool
  const dark = wall < day.sunrise || wall > day.sunset ? site.light : 0
  const slow = 1 + 0.05 * drawDrift(seed, 71, (day.startsAt + since) / 150)
  let level = (site.base + open) * slow + comfort * (0.33 + 0.67 * Math.min(1, open)) + dark
  if (site.cycle) {
    const turn = (day.startsAt + since + traits.phase) / site.cycle.minutes
    level += site.cycle.level * (0.5 + 0.5 * Math.sin(2 * Math.PI * turn + drawDrift(seed, 73, turn / 9)))
  }
  return level * (1 + site.grain * drawBell(seed, 72, day.index, quarter) * (open > 0.05 || site.cycle ? 1 : 0.4))
}

/** The days of a workplace or a shared installation. */
export function createSiteWriter(kind: SiteKind, seed: number): DayLoadWriter {
  const traits = {
    site: kind,
    seed,
    phase: 500 * drawUniform(seed, 61),
    heat: kind.heat * (0.5 + drawUniform(seed, 62)),
    cool: kind.cool * (0.4 + 1.2 * drawUniform(seed, 63)),
    week: buildWeek(kind, kind.shift * 0.6 * drawBell(seed, 64)),
  }
  return (sheet: DayLoad, day: ModelDay, temperatures: Float64Array) => {
    const active = getActivityLevel(kind, day) * (1 + 0.05 * drawBell(seed, 65, day.index))
    for (let slot = 0; slot * sheet.width < day.minutes; slot++) {
      const since = slot * sheet.width
      const level = computeSlotLevel(traits, day, since, temperatures[Math.floor(since / 60)] ?? 15, active)
      sheet.watts[slot] = (sheet.watts[slot] ?? 0) + FULL_USE_WATTS * Math.max(0, level)
    }
  }
}

/** Lamps from dusk to dawn: dimmed at night, or off between midnight and five in many towns. */
export function createStreetLightingWriter(seed: number): DayLoadWriter {
  const off = drawUniform(seed, 66) < 0.4
  const dimmed = off ? 0.015 : 0.55
  const delay = 6 + 14 * drawUniform(seed, 67)
  return (sheet, day) => {
    for (let slot = 0; slot * sheet.width < day.minutes; slot++) {
      const wall = toWallMinute(day, slot * sheet.width)
      const lit = (from: number, to: number) =>
        Math.max(0, Math.min(wall + sheet.width, to) - Math.max(wall, from)) / sheet.width
      const night = wall >= (off ? 0 : 1380) || wall < 300
      const on = lit(0, day.sunrise - delay) + lit(day.sunset + delay, 1440)
      const level = on * (night && (wall < 300 || !off) ? dimmed : 1) + 0.01
      sheet.watts[slot] = FULL_USE_WATTS * level * (1 + 0.004 * drawBell(seed, 68, day.index, Math.floor(wall / 15)))
    }
  }
}
