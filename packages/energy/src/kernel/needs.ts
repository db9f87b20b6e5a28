import { addCurves, addTo } from './curve-sums.ts'
import { isAlways, type PointCurve } from './points.ts'

/** What the consumers need together at each step; `missing` where somebody's figure is unknown and the sum worth nothing. */
export type Needs = { total: Float64Array; missing: Uint8Array }

export function needsOf(consumers: PointCurve[], steps: number): Needs {
  const needs = { total: new Float64Array(steps), missing: new Uint8Array(steps) }
  const mark = (values: Int32Array, first: number, last: number) => {
    for (let at = first; at < last; at++) if ((values[at] ?? 0) < 0) needs.missing[at] = 1
  }
  const whole = consumers.filter(isAlways).map(({ values }) => values)
  addCurves(needs.total, whole, 0, [0, steps], (values, holes) => {
    if (holes) mark(values, 0, steps)
  })
  for (const { values, active } of consumers.filter((consumer) => !isAlways(consumer)))
    for (const [from, to] of active) {
      const [first, last] = [Math.max(0, from), Math.min(steps, to)]
      if (first < last && addTo(needs.total, values, 0, first, last)) mark(values, first, last)
    }
  return needs
}
