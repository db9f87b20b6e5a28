import type { OperationPlan } from '../world/blueprint.ts'
import type { DemoMeterSource } from './demo.ts'
import type { SimulatedAgreement } from './schemas.ts'
import type { SimulatedKey } from './share-step.ts'
import { getLateEntry, getLateKeyChange } from './troubles.ts'

export type SettledParticipation = { prm: string; role: 'cons' | 'prod'; startsOn: string; endsOn: string | null }
/** An operation as recorded by the distributor: members with their dates, and the keys applied. */
export type OperationSettlement = {
  acc: string
  name: string
  startsOn: string
  endsOn: string | null
  seats: SettledParticipation[]
  keys: { from: string; to: string | null; key: SimulatedKeyBuilder }[]
}

/** A key for the points in the distributor's order at that time. */
export type SimulatedKeyBuilder = (consumers: string[], producers: string[]) => SimulatedKey

type KeyPlan = OperationPlan['keys'][number]

/** The plan uses its own names for points; the distributor uses their numbers. */
function createKeyBuilder({ method, shares }: KeyPlan, prmOf: Map<string, string>): SimulatedKeyBuilder {
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

function buildDemoParticipations({ lines, meters, values }: OperationPlan, anchor: string): SettledParticipation[] {
  const refs = new Map(meters.map(({ prm, ref }) => [prm, ref]))
  const late = getLateEntry(anchor)
  return lines.map(({ prm, direction, startsOn, endsOn }) => {
    const ref = refs.get(prm) ?? ''
    const role = direction === 'production' ? ('prod' as const) : ('cons' as const)
    const own = startsOn ?? values.startsOn ?? anchor
    const moved = late.operation === values.id && late.ref === ref && late.from === own
    return { prm, role, startsOn: moved ? late.to : own, endsOn: endsOn ?? null }
  })
}

function buildDemoSettlement(plan: OperationPlan, anchor: string): OperationSettlement {
  const { values } = plan
  const late = getLateKeyChange(anchor)
  const prmOf = new Map(plan.meters.map(({ ref, prm }) => [ref, prm]))
  const started = plan.keys.map((key) => ({
    key: createKeyBuilder(key, prmOf),
    from: late.operation === values.id && late.from === key.startsOn ? late.to : key.startsOn,
  }))
  return {
    acc: values.accNumber ?? '',
    name: values.name,
    startsOn: values.startsOn ?? anchor,
    endsOn: null,
    seats: buildDemoParticipations(plan, anchor),
    keys: started.map(({ key, from }, at) => ({ key, from, to: started[at + 1]?.from ?? null })),
  }
}

const toSettlement = ({ points, key, ...rest }: SimulatedAgreement): OperationSettlement => ({
  ...rest,
  seats: points,
  keys: [{ from: rest.startsOn, to: rest.endsOn, key: () => ({ method: key }) }],
})

export const buildSettlements = (
  agreements: SimulatedAgreement[],
  demo: DemoMeterSource | undefined,
): OperationSettlement[] => [
  ...(demo?.plans ?? []).map((plan) => buildDemoSettlement(plan, demo?.anchor ?? '')),
  ...agreements.map(toSettlement),
]
