import { addDays, listDays } from '@voisol/energy/calendar'
import { isMostlyKnown } from '@voisol/energy/insights/finding'
import { detectClockShift } from '@voisol/energy/insights/meter-findings'
import {
  detectPlantStop,
  detectUnderPerformance,
  monitorPlant,
  type PlantDays,
} from '@voisol/energy/insights/plant-findings'
import { computePvWatts } from '@voisol/energy/model/pv'
import { type RuleFinding, roundOrNull } from './finding-numbers.ts'
import {
  averageByHourOfDay,
  HOUR_LABELS,
  listDayHourRanges,
  toDailyEnergies,
  toHourlyMeans,
  toWattSeries,
} from './insight-curves.ts'
import type { InsightData, InsightPoint, PanelPlane } from './insight-data.ts'

type WatchedPlant = { id: string; plane: PanelPlane; hours: Float64Array; clear: Float64Array; days: PlantDays }

/** Below this part of the peak power the ratio is not meaningful. */
const MIN_CLEAR_SKY_SHARE = 0.05
const PLANT_HISTORY_DAYS = 150
const SHOWN_DAYS = 60
const RECENT_DAYS = 14

function buildWatchedPlants(scene: InsightData): WatchedPlant[] {
  const days = listDayHourRanges(scene)
  const own = scene.points.flatMap(({ id, plane, role, measured }) =>
    role === 'producer' && plane ? [{ id, plane, hours: toHourlyMeans(measured, scene.step) }] : [],
  )
  const others = scene.neighbours.map(({ id, plane, values }) => ({ id, plane, hours: toHourlyMeans(values, 60) }))
  return [...own, ...others].map(({ id, plane, hours }) => {
    const clear = Float64Array.from(computePvWatts(plane, scene.startsAt, days.at(-1)?.[1] ?? 0, 60))
    const tail = <T>(all: T[]) => all.slice(-PLANT_HISTORY_DAYS)
    return {
      id,
      plane,
      hours,
      clear,
      days: { energy: toDailyEnergies(hours, tail(days)), clear: toDailyEnergies(clear, tail(days)) },
    }
  })
}

function findUnderPerformance(
  scene: InsightData,
  plant: WatchedPlant,
  others: WatchedPlant[],
  share: number,
): RuleFinding[] {
  const neighbours = others.map(({ days }) => days)
  const known = Float64Array.from(plant.days.energy)
    .slice(-30)
    .map((wh) => (Number.isNaN(wh) ? -1 : wh))
  const found = isMostlyKnown(known) ? detectUnderPerformance(plant.days, neighbours) : null
  if (!found) return []
  const watch = monitorPlant(plant.days, neighbours)
  const labels = listDays(addDays(scene.to, -watch.length), scene.to)
  const { drop, lostWh, from } = found.evidence
  return [
    {
      rule: 'under-performance',
      subjectKind: 'point',
      subjectId: plant.id,
      startsOn: labels[from] ?? scene.from,
      endsOn: scene.to,
      wh: Math.round(lostWh),
      confidence: found.confidence,
      numbers: {
        statistic: found.statistic,
        threshold: found.threshold,
        worth: 'plant',
        facts: { drop, share, neighbours: neighbours.length },
        evidence: {
          axis: 'day',
          unit: 'kWh',
          labels: labels.slice(-SHOWN_DAYS),
          series: [
            {
              name: 'Mesuré',
              values: Array.from(plant.days.energy, (wh) => roundOrNull(wh / 1000)).slice(-SHOWN_DAYS),
            },
            {
              name: 'Attendu d’après les voisines',
              values: watch.map(({ expected }) => roundOrNull(expected / 1000)).slice(-SHOWN_DAYS),
            },
          ],
        },
      },
    },
  ]
}

const computeClearSkyRatios = ({ hours, clear, plane }: WatchedPlant) =>
  hours.map((watts, hour) =>
    (clear[hour] ?? 0) > MIN_CLEAR_SKY_SHARE * plane.peakWatts ? watts / (clear[hour] ?? 1) : Number.NaN,
  )

function findStoppedPlant(
  scene: InsightData,
  plant: WatchedPlant,
  others: WatchedPlant[],
  share: number,
): RuleFinding[] {
  const tail = (values: Float64Array) => values.subarray(-24 * RECENT_DAYS)
  const watts = tail(plant.hours).map((value) => (Number.isNaN(value) ? -1 : Math.round(value)))
  const neighbours = others.map((other) => tail(computeClearSkyRatios(other)))
  const found = isMostlyKnown(watts) ? detectPlantStop(watts, tail(plant.clear), neighbours) : null
  if (!found) return []
  const [first] = found.evidence.stretches
  const shown = 96
  const getNeighbourRatio = (hour: number) => {
    const parts = neighbours
      .map((parts) => parts[hour] ?? Number.NaN)
      .filter((part) => part >= 0)
      .sort((a, b) => a - b)
    return parts[Math.floor(parts.length / 2)] ?? Number.NaN
  }
  const at = (hour: number) => addDays(scene.to, Math.floor((hour - watts.length) / 24))
  return [
    {
      rule: 'plant-stopped',
      subjectKind: 'point',
      subjectId: plant.id,
      startsOn: at(first?.[0] ?? 0),
      endsOn: scene.to,
      wh: Math.round(found.evidence.lostWh),
      confidence: found.confidence,
      numbers: {
        statistic: found.statistic,
        threshold: found.threshold,
        worth: 'plant',
        facts: {
          share,
          neighbours: neighbours.length,
          hours: found.evidence.stretches.reduce((sum, [a, b]) => sum + b - a, 0),
        },
        evidence: {
          axis: 'hour',
          unit: 'kW',
          labels: Array.from({ length: shown }, (_, i) => `${at(watts.length - shown + i)} ${i % 24} h`),
          series: [
            {
              name: 'Mesuré',
              values: Array.from(watts.subarray(-shown), (value) => roundOrNull(value < 0 ? Number.NaN : value / 1000)),
            },
            {
              name: 'Attendu d’après les voisines',
              values: Array.from({ length: shown }, (_, i) => {
                const hour = watts.length - shown + i
                const clearSkyWatts = tail(plant.clear)[hour] ?? 0
                return clearSkyWatts === 0 ? 0 : roundOrNull((getNeighbourRatio(hour) * clearSkyWatts) / 1000)
              }),
            },
          ],
        },
      },
    },
  ]
}

function findShiftedClock(scene: InsightData, point: InsightPoint, plane: PanelPlane): RuleFinding[] {
  const series = toWattSeries(scene, point.measured, RECENT_DAYS + 1)
  const found = detectClockShift(series, plane)
  if (!found) return []
  const hours = toHourlyMeans(point.measured.subarray(-(RECENT_DAYS * 1440) / scene.step), scene.step)
  const startsAt = scene.startsAt + (point.measured.length * scene.step - hours.length * 60)
  const model = computePvWatts(plane, startsAt, hours.length, 60)
  const [own, sun] = [averageByHourOfDay(hours, startsAt), averageByHourOfDay(model, startsAt)]
  const total = (all: number[]) => all.reduce((sum, value) => sum + (Number.isNaN(value) ? 0 : value), 0)
  const factor = total(own) / Math.max(1, total(sun))
  const { minutes, steadyDays, days, asIs, shifted: after } = found.evidence
  return [
    {
      rule: 'clock-shifted',
      subjectKind: 'point',
      subjectId: point.id,
      startsOn: addDays(scene.to, -RECENT_DAYS),
      endsOn: scene.to,
      wh: null,
      confidence: found.confidence,
      numbers: {
        statistic: found.statistic,
        threshold: found.threshold,
        worth: 'none',
        facts: { minutes, steadyDays, days, asIs, after },
        evidence: {
          axis: 'hour',
          unit: 'kW',
          labels: HOUR_LABELS,
          series: [
            { name: 'Mesuré', values: own.map((watts) => roundOrNull(watts / 1000)) },
            {
              name: 'Soleil sur ce plan, même énergie',
              values: sun.map((watts) => roundOrNull((watts * factor) / 1000)),
            },
          ],
        },
      },
    },
  ]
}

/** `share`: the shared part of production, valued at the local price. */
export function findPlantInsights(scene: InsightData, share: number): RuleFinding[] {
  const plants = buildWatchedPlants(scene)
  const ownPointIds = new Set(scene.points.map(({ id }) => id))
  return [
    ...plants
      .filter(({ id }) => ownPointIds.has(id))
      .flatMap((plant) => {
        const others = plants.filter(({ id }) => id !== plant.id)
        // A stopped plant underperforms as well, so it is only reported as stopped.
        const stoppedInsights = findStoppedPlant(scene, plant, others, share)
        return stoppedInsights.length ? stoppedInsights : findUnderPerformance(scene, plant, others, share)
      }),
    ...scene.points.flatMap((point) => (point.plane ? findShiftedClock(scene, point, point.plane) : [])),
  ]
}
