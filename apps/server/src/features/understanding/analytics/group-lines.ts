import type { CompareRow } from '@voisol/contract/analytics'
import { computeAvoidedCo2Grams } from '@voisol/energy/metrics'
import { computeValueCents } from '@voisol/money/worth'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import {
  type Co2Factors,
  loadComparedMemberSums,
  type PeriodParticipation,
  splitEnergy,
  toWh,
} from '../energy/energy.ts'
import type { AnalyticsFilter } from './compare.ts'

const NO_GROUP_LABEL = 'Sans groupe'

type EnergySplit = ReturnType<typeof splitEnergy>
type SplitByDirection = Partial<Record<PeriodParticipation['direction'], EnergySplit>>
/** Local energy of a group's members in one operation, by direction. */
type LocalEnergyOfOperation = { price: number | null; sides: Partial<Record<PeriodParticipation['direction'], number>> }
type TagGroup = {
  people: Set<string>
  sides: SplitByDirection
  pending: number
  locals: Map<string, LocalEnergyOfOperation>
}

/**
 * Sums members by tag; a member with two tags counts in both. Kept in watt-minutes so that each figure is rounded once.
 */
export async function loadGroupCompareRows(
  db: Db,
  actor: Actor,
  factors: Co2Factors,
  query: AnalyticsFilter,
): Promise<CompareRow[]> {
  const groups = new Map<string, TagGroup>()
  for (const { seat: participation, sum } of await loadComparedMemberSums(db, actor, query)) {
    const parts = splitEnergy(sum.energy, sum)
    for (const name of participation.tags?.length ? participation.tags : [NO_GROUP_LABEL]) {
      const group = groups.get(name) ?? { people: new Set(), sides: {}, pending: 0, locals: new Map() }
      groups.set(name, group)
      addMemberToGroup(group, participation, parts)
    }
  }
  return [...groups].map(([name, group]) => toGroupCompareRow(name, group, factors))
}

function addMemberToGroup(group: TagGroup, participation: PeriodParticipation, energySplit: EnergySplit): void {
  const { direction, operationId, unitPrice } = participation
  group.people.add(participation.participantId)
  group.pending += energySplit.pending
  const side = group.sides[direction] ?? { whole: 0, local: 0, rest: 0, pending: 0 }
  group.sides[direction] = side
  side.whole += energySplit.whole
  side.local += energySplit.local
  side.rest += energySplit.rest
  const sides: LocalEnergyOfOperation['sides'] = group.locals.get(operationId)?.sides ?? {}
  group.locals.set(operationId, { price: unitPrice, sides })
  sides[direction] = (sides[direction] ?? 0) + energySplit.local
}

const computeLocalRatio = (side: EnergySplit | undefined) =>
  side && side.local + side.rest > 0 ? side.local / (side.local + side.rest) : null

/** As for a whole operation: energy given to consumers, or for producers only, the energy they shared. */
const getLocalWattMinutes = ({ sides }: LocalEnergyOfOperation) => sides.consumption ?? sides.production ?? 0

/** Null when an operation has no price, instead of a partial value. */
function computeGroupValueCents(locals: LocalEnergyOfOperation[]): number | null {
  const priced = locals.flatMap((own) =>
    own.price === null ? [] : [{ wattMinutes: getLocalWattMinutes(own), price: own.price }],
  )
  return priced.length === locals.length ? computeValueCents(priced) : null
}

function toGroupCompareRow(
  name: string,
  { people, sides, pending, locals }: TagGroup,
  factors: Co2Factors,
): CompareRow {
  const { production, consumption } = sides
  const wh = (value: number | undefined) => (value === undefined ? null : toWh(value))
  const all = [...locals.values()]
  const local = all.reduce((sum, own) => sum + getLocalWattMinutes(own), 0)
  return {
    id: name,
    name,
    members: people.size,
    produced: wh(production?.whole),
    shared: wh(production?.local),
    surplus: wh(production?.rest),
    consumed: wh(consumption?.whole),
    allocated: wh(consumption?.local),
    complement: wh(consumption?.rest),
    pending: toWh(pending),
    selfConsumption: computeLocalRatio(production),
    selfProduction: computeLocalRatio(consumption),
    valueCents: computeGroupValueCents(all),
    co2Grams: computeAvoidedCo2Grams(toWh(local), factors.CO2_GRID_GRAMS, factors.CO2_SOLAR_GRAMS),
  }
}
