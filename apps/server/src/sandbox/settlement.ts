import type { OperationPlan } from '../world/blueprint.ts'
import type { DemoWorld } from './demo.ts'
import type { Agreement } from './schemas.ts'
import type { BookKey } from './share-step.ts'
import { lateEntry, lateKey } from './troubles.ts'

export type Seat = { prm: string; role: 'cons' | 'prod'; startsOn: string; endsOn: string | null }
/** An operation in the distributor's books: who is in it from when to when, and the keys that were applied. */
export type Settlement = {
  acc: string
  name: string
  startsOn: string
  endsOn: string | null
  seats: Seat[]
  keys: { from: string; to: string | null; key: KeyOf }[]
}

/** A key in the order in which the distributor has the points, whatever that is at the time. */
export type KeyOf = (consumers: string[], producers: string[]) => BookKey

type KeyPlan = OperationPlan['keys'][number]

/** The plan names points by its own words; the distributor has their numbers. */
function keyOf({ method, shares }: KeyPlan, prmOf: Map<string, string>): KeyOf {
  const named = new Map(shares.map((share) => [prmOf.get(share.ref), share]))
  if (method === 'static' || method === 'redistributed')
    return (consumers) => ({ method, shares: consumers.map((prm) => named.get(prm)?.share ?? 0) })
  if (method === 'priority')
    return (consumers) => ({ method, ranks: consumers.map((prm) => named.get(prm)?.rank ?? LAST_RANK) })
  if (method === 'default' || method === 'equal') return () => ({ method })
  const cells = new Map(
    shares.map(({ ref, producer = '', share = 0 }) => [`${prmOf.get(producer)} ${prmOf.get(ref)}`, share]),
  )
  return (consumers, producers) => ({
    method: 'complete',
    shares: producers.map((from) => consumers.map((to) => cells.get(`${from} ${to}`) ?? 0)),
  })
}
const LAST_RANK = 1_000_000_000

function demoSeats({ lines, meters, values }: OperationPlan, anchor: string): Seat[] {
  const refs = new Map(meters.map(({ prm, ref }) => [prm, ref]))
  const late = lateEntry(anchor)
  return lines.map(({ prm, direction, startsOn, endsOn }) => {
    const ref = refs.get(prm) ?? ''
    const role = direction === 'production' ? ('prod' as const) : ('cons' as const)
    const own = startsOn ?? values.startsOn ?? anchor
    const moved = late.operation === values.id && late.ref === ref && late.from === own
    return { prm, role, startsOn: moved ? late.to : own, endsOn: endsOn ?? null }
  })
}

function demoSettlement(plan: OperationPlan, anchor: string): Settlement {
  const { values } = plan
  const late = lateKey(anchor)
  const prmOf = new Map(plan.meters.map(({ ref, prm }) => [ref, prm]))
  const started = plan.keys.map((key) => ({
    key: keyOf(key, prmOf),
    from: late.operation === values.id && late.from === key.startsOn ? late.to : key.startsOn,
  }))
  return {
    acc: values.accNumber ?? '',
    name: values.name,
    startsOn: values.startsOn ?? anchor,
    endsOn: null,
    seats: demoSeats(plan, anchor),
    keys: started.map(({ key, from }, at) => ({ key, from, to: started[at + 1]?.from ?? null })),
  }
}

const declared = ({ points, key, ...rest }: Agreement): Settlement => ({
  ...rest,
  seats: points,
  keys: [{ from: rest.startsOn, to: rest.endsOn, key: () => ({ method: key }) }],
})

export const settlementsOf = (agreements: Agreement[], demo: DemoWorld | undefined): Settlement[] => [
  ...(demo?.plans ?? []).map((plan) => demoSettlement(plan, demo?.anchor ?? '')),
  ...agreements.map(declared),
]
