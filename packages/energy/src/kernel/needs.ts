import { addCurves, addTo } from './curve-sums.ts'
import { isAlways, type PointCurve } from './points.ts'
import { type Presence, presenceOf } from './presence.ts'

/** What those who take part need together at each step. */
export type Needs = Presence & { total: Float64Array }

export function needsOf(consumers: PointCurve[], steps: number): Needs {
  const total = new Float64Array(steps)
  const holed = new Set<Int32Array>()
  const tell = (values: Int32Array, holes: boolean) => {
    if (holes) holed.add(values)
  }
  const whole = consumers.filter(isAlways).map(({ values }) => values)
  addCurves(total, whole, 0, [0, steps], tell)
  for (const { values, active } of consumers.filter((consumer) => !isAlways(consumer)))
    for (const [from, to] of active) {
      const [first, last] = [Math.max(0, from), Math.min(steps, to)]
      if (first < last) tell(values, addTo(total, values, 0, first, last))
    }
  const presence = presenceOf(consumers, steps, holed)
  for (const consumer of consumers) if (holed.has(consumer.values)) takeOut(total, consumer)
  return { ...presence, total }
}

/** The mark of a hole was added like a figure: it is taken out of the sum again. */
function takeOut(total: Float64Array, { values, active }: PointCurve): void {
  for (const [from, to] of active)
    for (let at = Math.max(0, from); at < Math.min(total.length, to); at++) {
      const value = values[at] ?? 0
      if (value < 0) total[at] = (total[at] ?? 0) - value
    }
}
