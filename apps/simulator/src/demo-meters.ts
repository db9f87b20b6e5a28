import { addDays, addMonths, listDays, monthOf } from '@voisol/energy/calendar'
import { MISSING } from '@voisol/energy/series'
import { getBergesHomeRef } from './demo/berges.ts'
import { createFullScale, type PlannedMeter as DemoMeter, getDayInMonth, type OperationPlan } from './demo/blueprint.ts'
import { computeCorrectedRows, computeReceivedDays, createReadingSite } from './demo/demo-readings.ts'
import { BERGES_ID, TILLEULS_ID } from './demo/identities.ts'
import { buildRunningOperations } from './demo/plan.ts'
import {
  type DemoReading,
  listCorrections,
  type ReadingCorrection,
  type ReadingSite,
} from './demo/reading-incidents.ts'
import type { MeterSource, SimulatedMeter } from './meter-registry.ts'

/** When the readings of a morning are received. */
const getReceivedAt = ({ receivedOn }: ReadingCorrection) => Date.parse(`${receivedOn}T05:10:00Z`)
const MONTHS_AHEAD = 2

/** Computes all days of a meter at once: one day would cost as much. */
function createDayReader(meter: DemoMeter, site: ReadingSite, since: string) {
  let held = new Map<string, DemoReading>()
  let until = since
  return (day: string): DemoReading | null => {
    if (day < since) return null
    if (day >= until) {
      until = addMonths(monthOf(day), MONTHS_AHEAD)
      held = computeReceivedDays(meter, site, listDays(since, until))
    }
    return held.get(day) ?? null
  }
}

function getCorrectDay(meter: DemoMeter, site: ReadingSite, day: string): DemoReading | null {
  const [row] = computeCorrectedRows('', meter, site, { ref: meter.ref, from: day, days: 1, first: 1, receivedOn: day })
  return row ? { watts: row.watts, quality: 2 } : null
}

/** A meter is read from its entry into its operation until its exit. */
function getMeterPeriod({ lines }: OperationPlan, { prm }: DemoMeter) {
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

function createDemoMeter(plan: OperationPlan, demo: DemoMeter, site: ReadingSite): SimulatedMeter {
  const { from, to, line } = getMeterPeriod(plan, demo)
  const first = createDayReader(demo, site, from)
  const { soon, late } = listCorrections(site.anchor)
  const corrections = [...soon, ...Object.values(late)].filter(({ ref }) => ref === demo.ref)
  const read = (day: string, at: number): DemoReading | null => {
    const covering = corrections.find((one) => day >= one.from && day < addDays(one.from, one.days))
    return covering && at >= getReceivedAt(covering) ? getCorrectDay(demo, site, day) : first(day)
  }
  const whole = (day: string, at: number) => {
    const reading = read(day, at)
    return reading?.watts.includes(MISSING) ? getCorrectDay(demo, site, day) : reading
  }
  const place = { address: line?.address ?? '', city: `${line?.postalCode ?? ''} ${line?.city ?? ''}` }
  return { prm: demo.prm, direction: demo.direction, step: 15, from, to, place, read, whole }
}

export type DemoMeterSource = { anchor: string; plans: OperationPlan[]; source: MeterSource }

/** The meters of the demo's running operations, with the demo's own readings. */
export function createDemoMeterSource(anchor: string): DemoMeterSource {
  const plans = buildRunningOperations(createFullScale(anchor))
  let meters: SimulatedMeter[] | undefined
  const all = () =>
    plans.flatMap((plan) => {
      const site = createReadingSite(plan.values, anchor)
      return plan.meters.map((meter) => createDemoMeter(plan, meter, site))
    })
  const consents = plans.flatMap((plan) =>
    plan.meters.flatMap(({ ref, prm }) => {
      const state = BLOCKED_CONSENTS[ref]
      return state ? [{ prm, state }] : []
    }),
  )
  return {
    anchor,
    plans,
    source: { meters: () => (meters ??= all()), consents: () => consents },
  }
}

/** The home whose readings the distributor refuses; it has no other fault. */
export const WITHDRAWN_HOME = getBergesHomeRef(22)
export const OPPOSED_HOME = getBergesHomeRef(48)
const BLOCKED_CONSENTS: Record<string, 'withdrawn' | 'opposed'> = {
  [WITHDRAWN_HOME]: 'withdrawn',
  [OPPOSED_HOME]: 'opposed',
}

type Delay = { operation: string; from: string; to: string }

/** The change of key of the residence was applied four days late. */
export const getLateKeyChange = (anchor: string): Delay => ({
  operation: TILLEULS_ID,
  from: getDayInMonth(anchor, -8, 15),
  to: getDayInMonth(anchor, -8, 19),
})

/** A home that joined on the 17th is recorded by the distributor from the 20th. */
export const LATE_ENTRY_HOME = getBergesHomeRef(71)
export const getLateEntry = (anchor: string): Delay & { ref: string } => ({
  operation: BERGES_ID,
  ref: LATE_ENTRY_HOME,
  from: getDayInMonth(anchor, -3, 17),
  to: getDayInMonth(anchor, -3, 20),
})
