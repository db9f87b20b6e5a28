import type { Key } from '@voisol/energy/keys'
import { DEFAULT_CALENDAR, type TimeCalendar } from '@voisol/energy/time-classes'
import type { OperationPlan } from '../world/blueprint.ts'
import { uuidOf } from '../world/numbers.ts'
import type { DemoWorld } from './demo.ts'
import type { Agreement } from './schemas.ts'
import { lateEntry, lateKey } from './troubles.ts'

export type Seat = { id: string; prm: string; role: 'cons' | 'prod'; startsOn: string; endsOn: string | null }
/** An operation in the distributor's books: who is in it from when to when, and the keys that were applied. */
export type Settlement = {
  acc: string
  name: string
  startsOn: string
  endsOn: string | null
  calendar: TimeCalendar
  seats: Seat[]
  keys: { from: string; to: string | null; key: Key }[]
}

/** Points are known by the ids of the product, so that roundings fall on the same ones. */
export const demoPointId = (ref: string, role: Seat['role']) =>
  uuidOf(`point ${ref} ${role === 'cons' ? 'consumption' : 'production'}`)

type KeyPlan = OperationPlan['keys'][number]

function keyOf({ method, shares }: KeyPlan): Key {
  const idOf = (ref: string) => demoPointId(ref, 'cons')
  const given = <T>(value: (share: KeyPlan['shares'][number]) => T) =>
    Object.fromEntries(shares.map((share) => [idOf(share.ref), value(share)]))
  if (method === 'static' || method === 'redistributed') return { method, shares: given(({ share }) => share ?? 0) }
  if (method === 'priority') return { method, ranks: given(({ rank }) => rank ?? 1) }
  if (method === 'default' || method === 'equal') return { method }
  const coefficients: Record<string, Record<string, number>> = {}
  for (const { ref, producer = '', share = 0 } of shares) {
    const id = demoPointId(producer, 'prod')
    coefficients[id] = { ...coefficients[id], [idOf(ref)]: share }
  }
  return { method: 'complete', coefficients }
}

function demoSeats({ lines, meters, values }: OperationPlan, anchor: string): Seat[] {
  const refs = new Map(meters.map(({ prm, ref }) => [prm, ref]))
  const late = lateEntry(anchor)
  return lines.map(({ prm, direction, startsOn, endsOn }) => {
    const ref = refs.get(prm) ?? ''
    const role = direction === 'production' ? ('prod' as const) : ('cons' as const)
    const own = startsOn ?? values.startsOn ?? anchor
    const moved = late.operation === values.id && late.ref === ref && late.from === own
    return { id: demoPointId(ref, role), prm, role, startsOn: moved ? late.to : own, endsOn: endsOn ?? null }
  })
}

function demoSettlement(plan: OperationPlan, anchor: string): Settlement {
  const { values } = plan
  const late = lateKey(anchor)
  const started = plan.keys.map((key) => ({
    key: keyOf(key),
    from: late.operation === values.id && late.from === key.startsOn ? late.to : key.startsOn,
  }))
  return {
    acc: values.accNumber ?? '',
    name: values.name,
    startsOn: values.startsOn ?? anchor,
    endsOn: null,
    calendar: DEFAULT_CALENDAR,
    seats: demoSeats(plan, anchor),
    keys: started.map(({ key, from }, at) => ({ key, from, to: started[at + 1]?.from ?? null })),
  }
}

const declared = ({ points, key, ...rest }: Agreement): Settlement => ({
  ...rest,
  calendar: DEFAULT_CALENDAR,
  seats: points.map((point) => ({ ...point, id: `${point.prm} ${point.role}` })),
  keys: [{ from: rest.startsOn, to: rest.endsOn, key: { method: key } }],
})

export const settlementsOf = (agreements: Agreement[], demo: DemoWorld | undefined): Settlement[] => [
  ...(demo?.plans ?? []).map((plan) => demoSettlement(plan, demo?.anchor ?? '')),
  ...agreements.map(declared),
]
