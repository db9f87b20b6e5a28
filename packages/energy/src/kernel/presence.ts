import { isAlways, type PointCurve } from './points.ts'

/**
 * Who takes part in each step. A consumer without a figure is suspended: it takes no part in that step, as if it were not in the
 * operation, and the others share by the rule of the key.
 */
export type Presence = {
  /** Each consumer, its ranges cut at its holes. */
  consumers: PointCurve[]
  /** 1 where somebody takes part, and where somebody is suspended. */
  present: Uint8Array
  suspended: Uint8Array
}

export function presenceOf(consumers: PointCurve[], steps: number, holed?: ReadonlySet<Int32Array>): Presence {
  const suspended = new Uint8Array(steps)
  const cut = consumers.map((consumer) =>
    holed?.has(consumer.values) === false ? consumer : cutAtHoles(consumer, steps, suspended),
  )
  const present = new Uint8Array(steps)
  if (cut.some(isAlways)) present.fill(1)
  else
    for (const { active } of cut)
      for (const [from, to] of active) if (from < to) present.fill(1, Math.max(0, from), Math.max(0, to))
  return { consumers: cut, present, suspended }
}

function cutAtHoles(consumer: PointCurve, steps: number, suspended: Uint8Array): PointCurve {
  const { values } = consumer
  const active: [number, number][] = []
  let whole = true
  for (const [first, last] of consumer.active) {
    let from = Math.max(0, first)
    const to = Math.min(steps, last)
    for (let at = from; at < to; at++) {
      if ((values[at] ?? 0) >= 0) continue
      whole = false
      suspended[at] = 1
      if (from < at) active.push([from, at])
      from = at + 1
    }
    if (from < to) active.push([from, to])
  }
  return whole ? consumer : { ...consumer, active }
}
