import type { CompareRow } from '@voisol/contract/analytics'
import { seatName } from '@voisol/contract/points'
import { co2Grams } from '@voisol/energy/metrics'
import { worthCents } from '@voisol/money/worth'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { type Factors, partsOf, seatsOver, type Taking, toWh } from '../energy/energy.ts'
import type { Where } from './compare.ts'

const nameOf = ({ label, participantName, prm }: Taking) => seatName(label, participantName) || prm
const ratio = (part: number, rest: number) => (part + rest > 0 ? part / (part + rest) : null)

/** One side of a member; what passes through a battery is neither produced nor consumed. */
function lineOf(
  seat: Taking,
  { whole, local, rest, pending }: ReturnType<typeof partsOf>,
  factors: Factors,
): CompareRow {
  const produces = seat.direction === 'production'
  const { unitPrice } = seat
  return {
    id: `${seat.operationId} ${seat.participantId} ${seat.pointId}`,
    name: nameOf(seat),
    members: null,
    produced: produces ? toWh(whole) : null,
    shared: produces ? toWh(local) : null,
    surplus: produces ? toWh(rest) : null,
    consumed: produces ? null : toWh(whole),
    allocated: produces ? null : toWh(local),
    complement: produces ? null : toWh(rest),
    pending: toWh(pending),
    selfConsumption: produces ? ratio(local, rest) : null,
    selfProduction: produces ? null : ratio(local, rest),
    valueCents: unitPrice === null ? null : worthCents([{ wattMinutes: local, price: unitPrice }]),
    co2Grams: co2Grams(toWh(local), factors.CO2_GRID_GRAMS, factors.CO2_SOLAR_GRAMS),
  }
}

/** Those with the most energy, and how many there are: the others are counted, not told. */
export async function memberLines(db: Db, actor: Actor, factors: Factors, query: Where, most: number) {
  const all = (await seatsOver(db, actor, query)).map(({ seat, sum }) => {
    const parts = partsOf(sum.energy, sum)
    return { seat, parts, size: toWh(parts.whole), name: nameOf(seat) }
  })
  const first = all.sort((a, b) => b.size - a.size || (a.name < b.name ? -1 : 1)).slice(0, most)
  return { rows: first.map(({ seat, parts }) => lineOf(seat, parts, factors)), count: all.length }
}
