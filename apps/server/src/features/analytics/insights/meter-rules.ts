import { addDays, dayOf, listDays } from '@voisol/energy/calendar'
import { averageLowestHours, detectBaseLoadRise } from '@voisol/energy/insights/base-load'
import { isMostlyKnown } from '@voisol/energy/insights/finding'
import { detectInvertedPoint, detectSilentMeter } from '@voisol/energy/insights/meter-findings'
import { buildWeekProfiles, detectSwappedPoints } from '@voisol/energy/insights/swapped-points'
import { type RuleFinding, roundOrNull } from './finding-numbers.ts'
import { averageByHourOfDay, HOUR_LABELS, listDayHourRanges, toHourlyMeans, toWattSeries } from './insight-curves.ts'
import type { InsightData, InsightPoint } from './insight-data.ts'

const INVERSION_DAYS = 28
const SILENT_METER_DAYS = 60
const MAX_SHOWN_HOURS = 240
const BASE_LOAD_DAYS = 70
const PROFILE_WEEKS = 18

function findInvertedPoint(scene: InsightData, point: InsightPoint): RuleFinding[] {
  if (!scene.place) return []
  const series = toWattSeries(scene, point.measured, INVERSION_DAYS)
  const found = detectInvertedPoint(series, scene.place, point.role)
  if (!found) return []
  const { nightPart, correlation, wattHours, days, role } = found.evidence
  const hours = toHourlyMeans(point.measured.subarray(-(INVERSION_DAYS * 1440) / scene.step), scene.step)
  return [
    {
      rule: 'inverted-point',
      subjectKind: 'point',
      subjectId: point.id,
      startsOn: addDays(scene.to, -INVERSION_DAYS),
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
              values: averageByHourOfDay(hours, series.startsAt).map((watts) => roundOrNull(watts / 1000)),
            },
          ],
        },
      },
    },
  ]
}

function findSilentMeter(scene: InsightData, point: InsightPoint): RuleFinding[] {
  const series = toWattSeries(scene, point.measured, SILENT_METER_DAYS)
  const found = isMostlyKnown(series.watts) ? detectSilentMeter(series) : null
  if (!found) return []
  const { from, to, watts, estimatedWh } = found.evidence
  const hours = toHourlyMeans(point.measured, scene.step).subarray(-MAX_SHOWN_HOURS)
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
          series: [{ name: 'Mesuré', values: Array.from(hours, (value) => roundOrNull(value / 1000)) }],
        },
      },
    },
  ]
}

function findBaseLoadIncrease(scene: InsightData, point: InsightPoint, cold: Float64Array): RuleFinding[] {
  const hours = toHourlyMeans(point.measured, scene.step)
  const all = Float64Array.from(listDayHourRanges(scene), ([from, to]) => averageLowestHours(hours.subarray(from, to)))
  const low = all.slice(-BASE_LOAD_DAYS)
  if (!isMostlyKnown(low.map((watts) => (Number.isNaN(watts) ? -1 : watts)))) return []
  const found = detectBaseLoadRise({ low: all, cold })
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
          labels: listDays(addDays(scene.to, -BASE_LOAD_DAYS), scene.to),
          series: [
            { name: 'Trois heures les plus basses', values: Array.from(low, (watts) => roundOrNull(watts, 1)) },
            { name: 'Habituel', values: Array.from(low, () => roundOrNull(usual, 1)) },
          ],
        },
      },
    },
  ]
}

const WEEK_SLOT_LABELS = ['ouvré', 'repos'].flatMap((kind) =>
  Array.from({ length: 8 }, (_, i) => `${kind}, ${3 * i} h`),
)
const averageWeeks = (weeks: (Float64Array | null)[]) =>
  WEEK_SLOT_LABELS.map((_, slot) => {
    const known = weeks.filter((week) => week !== null)
    return known.reduce((sum, week) => sum + (week[slot] ?? 0), 0) / Math.max(1, known.length)
  })

function findSwappedPoints(scene: InsightData): RuleFinding[] {
  const consumers = scene.points.filter(({ role }) => role === 'consumer')
  const weekly = consumers.map(({ id, measured }) => ({
    id,
    weeks: buildWeekProfiles(toWattSeries(scene, measured, PROFILE_WEEKS * 7)),
  }))
  return detectSwappedPoints(weekly).map(({ statistic, threshold, confidence, evidence }): RuleFinding => {
    const { a, b, week, straight, crossed, pairs, chance } = evidence
    const weeksOf = (id: string) => weekly.find((point) => point.id === id)?.weeks ?? []
    const since = weeksOf(a).length - week
    const sumUse = (id: string) => {
      const steps = (since * 7 * 1440) / scene.step
      const own = consumers.find((point) => point.id === id)?.measured.subarray(-steps) ?? new Int32Array()
      return own.reduce((sum, value) => sum + Math.max(0, value), 0) / 60
    }
    const line = (name: string, watts: number[]) => ({ name, values: watts.map((value) => roundOrNull(value, 1)) })
    return {
      rule: 'swapped-points',
      subjectKind: 'point',
      subjectId: a,
      startsOn: addDays(scene.to, -7 * since),
      endsOn: scene.to,
      wh: Math.round(Math.abs(sumUse(a) - sumUse(b))),
      confidence,
      numbers: {
        statistic,
        threshold,
        worth: 'local',
        facts: { other: b, weeks: since, straight, crossed, pairs, chance },
        evidence: {
          axis: 'name',
          unit: 'W',
          labels: WEEK_SLOT_LABELS,
          series: [
            line('Ce point, avant', averageWeeks(weeksOf(a).slice(0, week))),
            line('Ce point, depuis', averageWeeks(weeksOf(a).slice(week))),
            line('L’autre, avant', averageWeeks(weeksOf(b).slice(0, week))),
          ],
        },
      },
    }
  })
}

/** `cold`: degree-days below 16 °C of each day; NaN when the temperature is unknown. */
export const findMeterInsights = (scene: InsightData, cold: Float64Array): RuleFinding[] => [
  ...scene.points.flatMap((point) => [...findInvertedPoint(scene, point), ...findSilentMeter(scene, point)]),
  ...scene.points
    .filter(({ role }) => role === 'consumer')
    .flatMap((point) => findBaseLoadIncrease(scene, point, cold)),
  ...findSwappedPoints(scene),
]
