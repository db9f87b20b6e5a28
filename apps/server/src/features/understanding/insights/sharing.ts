import { allocateEnergy, type KeySpan, type PointCurve } from '@voisol/energy/allocate'
import { sliceCurves, sliceSpans } from '@voisol/energy/slices'
import type { InsightData } from './scene.ts'

export type AllocationSides = { steps: number; producers: PointCurve[]; consumers: PointCurve[]; keys: KeySpan[] }

/** The last days of an operation in the allocation engine's format. */
export function sliceAllocationSides({ points, keys, steps, step }: InsightData, days: number): AllocationSides {
  const from = Math.max(0, steps - (days * 1440) / step)
  const listCurves = (role: 'producer' | 'consumer') =>
    sliceCurves(
      points.filter((point) => point.role === role).map(({ id, values, active }) => ({ id, values, active })),
      from,
      steps,
    )
  return {
    steps: steps - from,
    producers: listCurves('producer'),
    consumers: listCurves('consumer'),
    keys: sliceSpans(keys, from, steps),
  }
}

const sumKnown = (values: Int32Array) => values.reduce((sum, value) => sum + Math.max(0, value), 0)

/** Shared energy by point in watt-hours, and as a part of production. */
export function computeSharedEnergy(
  scene: InsightData,
  days: number,
): { share: number; made: number; local: Map<string, number> } {
  const sides = sliceAllocationSides(scene, days)
  const { allocated, produced } = allocateEnergy(sides)
  const local = new Map(sides.consumers.map(({ id }, i) => [id, sumKnown(allocated[i] ?? new Int32Array()) / 60]))
  const producedWh = produced.reduce((sum, values) => sum + sumKnown(values), 0) / 60
  const localWh = [...local.values()].reduce((sum, wh) => sum + wh, 0)
  return { share: producedWh > 0 ? localWh / producedWh : 0, made: producedWh, local }
}
