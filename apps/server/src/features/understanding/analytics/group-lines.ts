import type { CompareRow } from '@voisol/contract/analytics'
import { co2Grams } from '@voisol/energy/metrics'
import { worthCents } from '@voisol/money/worth'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { type Factors, partsOf, seatsOver, type Taking, toWh } from '../energy/energy.ts'
import type { Where } from './compare.ts'

const NO_GROUP = 'Sans groupe'

type Parts = ReturnType<typeof partsOf>
type Sides = Partial<Record<Taking['direction'], Parts>>
/** What was local to a group's members of one operation, of either side. */
type Local = { price: number | null; sides: Partial<Record<Taking['direction'], number>> }
type Group = { people: Set<string>; sides: Sides; pending: number; locals: Map<string, Local> }

/** Members by the groups they were put into; who is in two counts in both. In watt-minutes, so that each figure is rounded once. */
export async function groupRows(db: Db, actor: Actor, factors: Factors, query: Where): Promise<CompareRow[]> {
  const groups = new Map<string, Group>()
  for (const { seat, sum } of await seatsOver(db, actor, query)) {
    const parts = partsOf(sum.energy, sum)
    for (const name of seat.tags?.length ? seat.tags : [NO_GROUP]) {
      const group = groups.get(name) ?? { people: new Set(), sides: {}, pending: 0, locals: new Map() }
      groups.set(name, group)
      addSeat(group, seat, parts)
    }
  }
  return [...groups].map(([name, group]) => rowOf(name, group, factors))
}

function addSeat(group: Group, seat: Taking, parts: Parts): void {
  const { direction, operationId, unitPrice } = seat
  group.people.add(seat.participantId)
  group.pending += parts.pending
  const side = group.sides[direction] ?? { whole: 0, local: 0, rest: 0, pending: 0 }
  group.sides[direction] = side
  side.whole += parts.whole
  side.local += parts.local
  side.rest += parts.rest
  const sides: Local['sides'] = group.locals.get(operationId)?.sides ?? {}
  group.locals.set(operationId, { price: unitPrice, sides })
  sides[direction] = (sides[direction] ?? 0) + parts.local
}

const ratio = (side: Parts | undefined) =>
  side && side.local + side.rest > 0 ? side.local / (side.local + side.rest) : null

/** As of a whole operation: what its consumers were given; of producers alone, what was shared of theirs. */
const localOf = ({ sides }: Local) => sides.consumption ?? sides.production ?? 0

/** Null where one has no price, rather than a part of the value. */
function worthOf(locals: Local[]): number | null {
  const priced = locals.flatMap((own) => (own.price === null ? [] : [{ wattMinutes: localOf(own), price: own.price }]))
  return priced.length === locals.length ? worthCents(priced) : null
}

function rowOf(name: string, { people, sides, pending, locals }: Group, factors: Factors): CompareRow {
  const { production, consumption } = sides
  const wh = (value: number | undefined) => (value === undefined ? null : toWh(value))
  const all = [...locals.values()]
  const local = all.reduce((sum, own) => sum + localOf(own), 0)
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
    selfConsumption: ratio(production),
    selfProduction: ratio(consumption),
    valueCents: worthOf(all),
    co2Grams: co2Grams(toWh(local), factors.CO2_GRID_GRAMS, factors.CO2_SOLAR_GRAMS),
  }
}
