import { addDays, listDays } from '@voisol/energy/calendar'
import { clockShifted } from '@voisol/energy/insights/clock-shifted'
import { isReceived } from '@voisol/energy/insights/finding'
import { plantStopped } from '@voisol/energy/insights/plant-stopped'
import { type PlantDays, underPerformance, watchPlant } from '@voisol/energy/insights/under-performance'
import { pvWatts } from '@voisol/energy/model/pv'
import { byHourOfDay, daily, dayHours, HOUR_LABELS, hourly, seriesOf } from './hours.ts'
import { orNull, type Raw } from './numbers.ts'
import type { Plane, Scene, ScenePoint } from './scene.ts'

type Watched = { id: string; plane: Plane; hours: Float64Array; clear: Float64Array; days: PlantDays }

/** Below this part of the peak power a ratio says nothing. */
const DIM = 0.05
const LOOKED_AT = 150
const SHOWN = 60
const RECENT = 14

function watched(scene: Scene): Watched[] {
  const days = dayHours(scene)
  const own = scene.points.flatMap(({ id, plane, role, measured }) =>
    role === 'producer' && plane ? [{ id, plane, hours: hourly(measured, scene.step) }] : [],
  )
  const others = scene.neighbours.map(({ id, plane, values }) => ({ id, plane, hours: hourly(values, 60) }))
  return [...own, ...others].map(({ id, plane, hours }) => {
    const clear = Float64Array.from(pvWatts(plane, scene.startsAt, days.at(-1)?.[1] ?? 0, 60))
    const tail = <T>(all: T[]) => all.slice(-LOOKED_AT)
    return { id, plane, hours, clear, days: { energy: daily(hours, tail(days)), clear: daily(clear, tail(days)) } }
  })
}

function weak(scene: Scene, plant: Watched, others: Watched[], share: number): Raw[] {
  const neighbours = others.map(({ days }) => days)
  const known = Float64Array.from(plant.days.energy)
    .slice(-30)
    .map((wh) => (Number.isNaN(wh) ? -1 : wh))
  const found = isReceived(known) ? underPerformance(plant.days, neighbours) : null
  if (!found) return []
  const watch = watchPlant(plant.days, neighbours)
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
          labels: labels.slice(-SHOWN),
          series: [
            { name: 'Mesuré', values: Array.from(plant.days.energy, (wh) => orNull(wh / 1000)).slice(-SHOWN) },
            {
              name: 'Attendu d’après les voisines',
              values: watch.map(({ expected }) => orNull(expected / 1000)).slice(-SHOWN),
            },
          ],
        },
      },
    },
  ]
}

const partsOf = ({ hours, clear, plane }: Watched) =>
  hours.map((watts, hour) => ((clear[hour] ?? 0) > DIM * plane.peakWatts ? watts / (clear[hour] ?? 1) : Number.NaN))

function stopped(scene: Scene, plant: Watched, others: Watched[], share: number): Raw[] {
  const tail = (values: Float64Array) => values.subarray(-24 * RECENT)
  const watts = tail(plant.hours).map((value) => (Number.isNaN(value) ? -1 : Math.round(value)))
  const neighbours = others.map((other) => tail(partsOf(other)))
  const found = isReceived(watts) ? plantStopped(watts, tail(plant.clear), neighbours) : null
  if (!found) return []
  const [first] = found.evidence.stretches
  const shown = 96
  const light = (hour: number) => {
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
              values: Array.from(watts.subarray(-shown), (value) => orNull(value < 0 ? Number.NaN : value / 1000)),
            },
            {
              name: 'Attendu d’après les voisines',
              values: Array.from({ length: shown }, (_, i) => {
                const hour = watts.length - shown + i
                const most = tail(plant.clear)[hour] ?? 0
                return most === 0 ? 0 : orNull((light(hour) * most) / 1000)
              }),
            },
          ],
        },
      },
    },
  ]
}

function shifted(scene: Scene, point: ScenePoint, plane: Plane): Raw[] {
  const series = seriesOf(scene, point.measured, RECENT + 1)
  const found = clockShifted(series, plane)
  if (!found) return []
  const hours = hourly(point.measured.subarray(-(RECENT * 1440) / scene.step), scene.step)
  const startsAt = scene.startsAt + (point.measured.length * scene.step - hours.length * 60)
  const model = pvWatts(plane, startsAt, hours.length, 60)
  const [own, sun] = [byHourOfDay(hours, startsAt), byHourOfDay(model, startsAt)]
  const total = (all: number[]) => all.reduce((sum, value) => sum + (Number.isNaN(value) ? 0 : value), 0)
  const factor = total(own) / Math.max(1, total(sun))
  const { minutes, steadyDays, days, asIs, shifted: after } = found.evidence
  return [
    {
      rule: 'clock-shifted',
      subjectKind: 'point',
      subjectId: point.id,
      startsOn: addDays(scene.to, -RECENT),
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
            { name: 'Mesuré', values: own.map((watts) => orNull(watts / 1000)) },
            { name: 'Soleil sur ce plan, même énergie', values: sun.map((watts) => orNull((watts * factor) / 1000)) },
          ],
        },
      },
    },
  ]
}

/** `share`: the part of the production that is shared, which is worth the local price. */
export function plantRules(scene: Scene, share: number): Raw[] {
  const plants = watched(scene)
  const mine = new Set(scene.points.map(({ id }) => id))
  return [
    ...plants
      .filter(({ id }) => mine.has(id))
      .flatMap((plant) => {
        const others = plants.filter(({ id }) => id !== plant.id)
        // One that stands still gives less, too: that is said once.
        const still = stopped(scene, plant, others, share)
        return still.length ? still : weak(scene, plant, others, share)
      }),
    ...scene.points.flatMap((point) => (point.plane ? shifted(scene, point, point.plane) : [])),
  ]
}
