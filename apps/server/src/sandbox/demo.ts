import { addDays, addMonths, listDays, monthOf } from '@voisol/energy/calendar'
import { MISSING } from '@voisol/energy/series'
import type { Meter as DemoMeter, OperationPlan } from '../world/blueprint.ts'
import { type Correction, correctionsOf, type Reading } from '../world/incidents.ts'
import { running } from '../world/plan.ts'
import { correctedRows, receivedDays, type Site, siteOver } from '../world/readings.ts'
import { fullScale } from '../world/scale.ts'
import { BLOCKED } from './troubles.ts'
import type { Meter, Source } from './world.ts'

/** When the readings of a morning come in. */
const receivedAt = ({ receivedOn }: Correction) => Date.parse(`${receivedOn}T05:10:00Z`)
const AHEAD = 2

/** Works a meter out whole, once: one day of it would cost as much. */
function readerOf(meter: DemoMeter, site: Site, since: string) {
  let held = new Map<string, Reading>()
  let until = since
  return (day: string): Reading | null => {
    if (day < since) return null
    if (day >= until) {
      until = addMonths(monthOf(day), AHEAD)
      held = receivedDays(meter, site, listDays(since, until))
    }
    return held.get(day) ?? null
  }
}

function rightDay(meter: DemoMeter, site: Site, day: string): Reading | null {
  const [row] = correctedRows('', meter, site, { ref: meter.ref, from: day, days: 1, first: 1, receivedOn: day })
  return row ? { watts: row.watts, quality: 2 } : null
}

/** A meter is read from the day it comes into its operation until it leaves. */
function spanOf({ lines }: OperationPlan, { prm }: DemoMeter) {
  const own = lines.filter((line) => line.prm === prm)
  const from = own.map((line) => line.startsOn ?? '').reduce((a, b) => (a < b ? a : b))
  const to = own.some(({ endsOn }) => endsOn == null)
    ? null
    : own
        .map((line) => line.endsOn ?? '')
        .sort()
        .at(-1)
  return { from, to: to ?? null, line: own[0] }
}

function meterOf(plan: OperationPlan, demo: DemoMeter, site: Site): Meter {
  const { from, to, line } = spanOf(plan, demo)
  const first = readerOf(demo, site, from)
  const { soon, late } = correctionsOf(site.anchor)
  const corrections = [...soon, ...Object.values(late)].filter(({ ref }) => ref === demo.ref)
  const read = (day: string, at: number): Reading | null => {
    const covering = corrections.find((one) => day >= one.from && day < addDays(one.from, one.days))
    return covering && at >= receivedAt(covering) ? rightDay(demo, site, day) : first(day)
  }
  const whole = (day: string, at: number) => {
    const reading = read(day, at)
    return reading?.watts.includes(MISSING) ? rightDay(demo, site, day) : reading
  }
  const place = { address: line?.address ?? '', city: `${line?.postalCode ?? ''} ${line?.city ?? ''}` }
  return { prm: demo.prm, direction: demo.direction, step: 15, from, to, place, read, whole }
}

export type DemoWorld = { anchor: string; plans: OperationPlan[]; source: Source }

/** The meters of the demo's running operations, as its own readings are made. */
export function demoWorld(anchor: string): DemoWorld {
  const plans = running(fullScale(anchor))
  let meters: Meter[] | undefined
  const all = () =>
    plans.flatMap((plan) => {
      const site = siteOver(plan.values, anchor)
      return plan.meters.map((meter) => meterOf(plan, meter, site))
    })
  const consents = plans.flatMap((plan) =>
    plan.meters.flatMap(({ ref, prm }) => {
      const state = BLOCKED[ref]
      return state ? [{ prm, state }] : []
    }),
  )
  return {
    anchor,
    plans,
    source: { meters: () => (meters ??= all()), consents: () => consents },
  }
}
