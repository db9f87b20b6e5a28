import { allocate, type KeySpan, type PointCurve } from '@voisol/energy/allocate'
import { sliceCurves, sliceSpans } from '@voisol/energy/slices'
import type { Scene } from './scene.ts'

export type Sides = { steps: number; producers: PointCurve[]; consumers: PointCurve[]; keys: KeySpan[] }

/** The last days of an operation as the kernel takes them. */
export function sidesOf({ points, keys, steps, step }: Scene, days: number): Sides {
  const from = Math.max(0, steps - (days * 1440) / step)
  const of = (role: 'producer' | 'consumer') =>
    sliceCurves(
      points.filter((point) => point.role === role).map(({ id, values, active }) => ({ id, values, active })),
      from,
      steps,
    )
  return {
    steps: steps - from,
    producers: of('producer'),
    consumers: of('consumer'),
    keys: sliceSpans(keys, from, steps),
  }
}

const known = (values: Int32Array) => values.reduce((sum, value) => sum + Math.max(0, value), 0)

/** What was shared of the days, by point in watt-hours, and as a part of what was made. */
export function sharedOver(scene: Scene, days: number): { share: number; made: number; local: Map<string, number> } {
  const sides = sidesOf(scene, days)
  const { allocated, produced } = allocate(sides)
  const local = new Map(sides.consumers.map(({ id }, i) => [id, known(allocated[i] ?? new Int32Array()) / 60]))
  const made = produced.reduce((sum, values) => sum + known(values), 0) / 60
  const used = [...local.values()].reduce((sum, wh) => sum + wh, 0)
  return { share: made > 0 ? used / made : 0, made, local }
}
