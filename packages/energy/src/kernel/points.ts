/**
 * Energy per step over the whole period, and the half-open step ranges where the point is in the operation. A battery
 * is listed twice: its charge among consumers, its release among producers.
 */
export type PointCurve = { id: string; values: Int32Array; active: [number, number][]; storage?: boolean }

export const isAlwaysActive = ({ active, values }: PointCurve): boolean =>
  active.some(([from, to]) => from <= 0 && to >= values.length)

export function requireValidPoint({ id, values, active }: PointCurve, steps: number): void {
  if (values.length !== steps) throw new RangeError(`point ${id} has ${values.length} steps instead of ${steps}`)
  let end = 0
  for (const [from, to] of active.toSorted(([a], [b]) => a - b)) {
    if (from < end) throw new RangeError(`point ${id} is twice in the operation at step ${from}`)
    end = to
  }
}
