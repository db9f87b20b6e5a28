import { addDays, dayOf, listDays } from '@voisol/energy/calendar'
import { baseLoad, lowestHours } from '@voisol/energy/insights/base-load'
import { isReceived } from '@voisol/energy/insights/finding'
import { invertedPoint } from '@voisol/energy/insights/inverted-point'
import { silentMeter } from '@voisol/energy/insights/silent-meter'
import { swappedPoints, weekProfiles } from '@voisol/energy/insights/swapped-points'
import { byHourOfDay, dayHours, HOUR_LABELS, hourly, seriesOf } from './hours.ts'
import { orNull, type Raw } from './numbers.ts'
import type { Scene, ScenePoint } from './scene.ts'

const FOUR_WEEKS = 28
const SILENT_DAYS = 60
const SHOWN_HOURS = 240
const FLOOR_DAYS = 70
const WEEKS = 18

function inverted(scene: Scene, point: ScenePoint): Raw[] {
  if (!scene.place) return []
  const series = seriesOf(scene, point.measured, FOUR_WEEKS)
  const found = invertedPoint(series, scene.place, point.role)
  if (!found) return []
  const { nightPart, correlation, wattHours, days, role } = found.evidence
  const hours = hourly(point.measured.subarray(-(FOUR_WEEKS * 1440) / scene.step), scene.step)
  return [
    {
      rule: 'inverted-point',
      subjectKind: 'point',
      subjectId: point.id,
      startsOn: addDays(scene.to, -FOUR_WEEKS),
      endsOn: scene.to,
      wh: Math.round(wattHours),
      confidence: found.confidence,
      numbers: {
        statistic: found.statistic,
        threshold: found.threshold,
        worth: 'local',
        facts: { role, nightPart, correlation, days },
        evidence: {
          axis: 'hour',
          unit: 'kW',
          labels: HOUR_LABELS,
          series: [
            {
              name: 'Moyenne mesurée',
              values: byHourOfDay(hours, series.startsAt).map((watts) => orNull(watts / 1000)),
            },
          ],
        },
      },
    },
  ]
}

function silent(scene: Scene, point: ScenePoint): Raw[] {
  const series = seriesOf(scene, point.measured, SILENT_DAYS)
  const found = isReceived(series.watts) ? silentMeter(series) : null
  if (!found) return []
  const { from, to, watts, estimatedWh } = found.evidence
  const hours = hourly(point.measured, scene.step).subarray(-SHOWN_HOURS)
  return [
    {
      rule: found.rule,
      subjectKind: 'point',
      subjectId: point.id,
      startsOn: dayOf(from),
      endsOn: addDays(dayOf(to - 1), 1),
      wh: Math.round(estimatedWh),
      confidence: found.confidence,
      numbers: {
        statistic: found.statistic,
        threshold: found.threshold,
        worth: 'local',
        facts: { hours: found.statistic, watts },
        evidence: {
          axis: 'hour',
          unit: 'kW',
          labels: Array.from(hours, (_, i) => {
            const minute = scene.startsAt + (scene.steps * scene.step - (hours.length - i) * 60)
            return `${dayOf(minute)} ${i % 24} h`
          }),
          series: [{ name: 'Mesuré', values: Array.from(hours, (value) => orNull(value / 1000)) }],
        },
      },
    },
  ]
}

function floor(scene: Scene, point: ScenePoint, cold: Float64Array): Raw[] {
  const hours = hourly(point.measured, scene.step)
  const all = Float64Array.from(dayHours(scene), ([from, to]) => lowestHours(hours.subarray(from, to)))
  const low = all.slice(-FLOOR_DAYS)
  if (!isReceived(low.map((watts) => (Number.isNaN(watts) ? -1 : watts)))) return []
  const found = baseLoad({ low: all, cold })
  if (!found) return []
  const { step, usual, slope, heated, yearWh } = found.evidence
  return [
    {
      rule: 'base-load',
      subjectKind: 'point',
      subjectId: point.id,
      startsOn: addDays(scene.to, -10),
      endsOn: scene.to,
      wh: Math.round(yearWh),
      confidence: heated ? found.confidence / 2 : found.confidence,
      numbers: {
        statistic: found.statistic,
        threshold: found.threshold,
        worth: 'supplier',
        facts: { step, usual, slope, heated: heated ? 1 : 0 },
        evidence: {
          axis: 'day',
          unit: 'W',
          labels: listDays(addDays(scene.to, -FLOOR_DAYS), scene.to),
          series: [
            { name: 'Trois heures les plus basses', values: Array.from(low, (watts) => orNull(watts, 1)) },
            { name: 'Habituel', values: Array.from(low, () => orNull(usual, 1)) },
          ],
        },
      },
    },
  ]
}

const BLOCKS = ['ouvré', 'repos'].flatMap((kind) => Array.from({ length: 8 }, (_, i) => `${kind}, ${3 * i} h`))
const mean = (weeks: (Float64Array | null)[]) =>
  BLOCKS.map((_, slot) => {
    const known = weeks.filter((week) => week !== null)
    return known.reduce((sum, week) => sum + (week[slot] ?? 0), 0) / Math.max(1, known.length)
  })

function swapped(scene: Scene): Raw[] {
  const consumers = scene.points.filter(({ role }) => role === 'consumer')
  const weekly = consumers.map(({ id, measured }) => ({
    id,
    weeks: weekProfiles(seriesOf(scene, measured, WEEKS * 7)),
  }))
  return swappedPoints(weekly).map(({ statistic, threshold, confidence, evidence }): Raw => {
    const { a, b, week, straight, crossed, pairs, chance } = evidence
    const weeksOf = (id: string) => weekly.find((point) => point.id === id)?.weeks ?? []
    const since = weeksOf(a).length - week
    const used = (id: string) => {
      const steps = (since * 7 * 1440) / scene.step
      const own = consumers.find((point) => point.id === id)?.measured.subarray(-steps) ?? new Int32Array()
      return own.reduce((sum, value) => sum + Math.max(0, value), 0) / 60
    }
    const line = (name: string, watts: number[]) => ({ name, values: watts.map((value) => orNull(value, 1)) })
    return {
      rule: 'swapped-points',
      subjectKind: 'point',
      subjectId: a,
      startsOn: addDays(scene.to, -7 * since),
      endsOn: scene.to,
      wh: Math.round(Math.abs(used(a) - used(b))),
      confidence,
      numbers: {
        statistic,
        threshold,
        worth: 'local',
        facts: { other: b, weeks: since, straight, crossed, pairs, chance },
        evidence: {
          axis: 'name',
          unit: 'W',
          labels: BLOCKS,
          series: [
            line('Ce point, avant', mean(weeksOf(a).slice(0, week))),
            line('Ce point, depuis', mean(weeksOf(a).slice(week))),
            line('L’autre, avant', mean(weeksOf(b).slice(0, week))),
          ],
        },
      },
    }
  })
}

/** `cold`: degree-days below 16 °C of each day; NaN where the temperature is not known. */
export const meterRules = (scene: Scene, cold: Float64Array): Raw[] => [
  ...scene.points.flatMap((point) => [...inverted(scene, point), ...silent(scene, point)]),
  ...scene.points.filter(({ role }) => role === 'consumer').flatMap((point) => floor(scene, point, cold)),
  ...swapped(scene),
]
