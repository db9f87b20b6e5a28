import { addCurves, addTo } from './curve-sums.ts'
import { createLane, LANES, type Lane, TILE } from './lanes.ts'
import { createDivision, type Division } from './largest-remainder.ts'

/** Energy per step over the whole period, and the half-open step ranges where the point is in the operation. */
export type PointCurve = { id: string; values: Int32Array; active: [number, number][] }

type Place = { lane: Lane; need: Int32Array; weight: Int32Array }

/** The stretch of steps at work: what can be shared, what is needed, and which steps are closed to any division. */
export type Frame = {
  start: number
  length: number
  consumers: PointCurve[]
  always: boolean[]
  closed: Uint8Array
  anyClosed: boolean
  pool: Float64Array
  total: Float64Array
  handed: Float64Array
  /** One for each place side by side, with room for figures of its own. */
  places: Place[]
  division: Division
}

export const isAlways = ({ active, values }: PointCurve): boolean =>
  active.some(([from, to]) => from <= 0 && to >= values.length)

export function checkPoint({ id, values, active }: PointCurve, steps: number): void {
  if (values.length !== steps) throw new RangeError(`point ${id} has ${values.length} steps instead of ${steps}`)
  let end = 0
  for (const [from, to] of active.toSorted(([a], [b]) => a - b)) {
    if (from < end) throw new RangeError(`point ${id} is twice in the operation at step ${from}`)
    end = to
  }
}

export function createFrame(consumers: PointCurve[], steps: number): Frame {
  const size = Math.min(TILE, steps)
  const doubles = () => new Float64Array(size)
  const integers = () => new Int32Array(size)
  return {
    start: 0,
    length: 0,
    consumers,
    always: consumers.map(isAlways),
    closed: new Uint8Array(size),
    anyClosed: false,
    pool: doubles(),
    total: doubles(),
    handed: doubles(),
    places: Array.from({ length: LANES }, () => ({ lane: createLane(), need: integers(), weight: integers() })),
    division: createDivision(size),
  }
}

/** Calls back with the parts of the frame, relative to its start, where the point is in the operation. */
function inOperation({ start, length }: Frame, { active }: PointCurve, each: (from: number, to: number) => void): void {
  for (const [from, to] of active) {
    const first = Math.max(0, from - start)
    const last = Math.min(length, to - start)
    if (first < last) each(first, last)
  }
}

/** What a consumer needs at each step: nothing outside the operation, nothing where the step is closed. */
export function needLane(frame: Frame, member: number, place = 0): Lane {
  const { start, length, closed } = frame
  const consumer = frame.consumers[member]
  const own = frame.places[place]
  if (!consumer || !own) throw new RangeError(`no consumer ${member}`)
  const { lane, need } = own
  if (frame.always[member] && !frame.anyClosed) {
    lane.need = consumer.values
    lane.needAt = start
  } else {
    need.fill(0, 0, length)
    inOperation(frame, consumer, (from, to) => {
      for (let at = from; at < to; at++) need[at] = closed[at] === 0 ? (consumer.values[start + at] ?? 0) : 0
    })
    lane.need = need
    lane.needAt = 0
  }
  lane.weight = lane.need
  lane.weightAt = lane.needAt
  lane.mask = -1
  return lane
}

/** The same with a weight of its own where the consumer is in the operation: a constant, or a curve from `offset` on. */
export function weightLane(frame: Frame, member: number, given: Int32Array | number, offset: number, place = 0): Lane {
  const lane = needLane(frame, member, place)
  const consumer = frame.consumers[member]
  const { length } = frame
  const weight = frame.places[place]?.weight ?? lane.weight
  lane.weight = weight
  lane.weightAt = 0
  if (typeof given === 'number' && frame.always[member]) {
    weight[0] = given
    lane.mask = 0
    return lane
  }
  weight.fill(0, 0, length)
  if (consumer)
    inOperation(frame, consumer, (from, to) => {
      if (typeof given === 'number') weight.fill(given, from, to)
      else for (let at = from; at < to; at++) weight[at] = Math.max(0, given[offset + at] ?? 0)
    })
  return lane
}

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

export const stepsOf = (length: number): Int32Array => Int32Array.from({ length }, (_, at) => at)
