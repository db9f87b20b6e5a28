import type { CompareRow } from '@voisol/contract/analytics'
import { formatDwellingName } from '@voisol/contract/points'
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

const getMemberName = ({ label, participantName, prm }: PeriodParticipation) =>
  formatDwellingName(label, participantName) || prm
const computeLocalRatio = (part: number, rest: number) => (part + rest > 0 ? part / (part + rest) : null)

/** One direction of a member; battery energy is neither produced nor consumed. */
function toMemberCompareRow(
  participation: PeriodParticipation,
  { whole, local, rest, pending }: ReturnType<typeof splitEnergy>,
  factors: Co2Factors,
): CompareRow {
  const produces = participation.direction === 'production'
  const { unitPrice } = participation
  return {
    id: `${participation.operationId} ${participation.participantId} ${participation.pointId}`,
    name: getMemberName(participation),
    members: null,
    produced: produces ? toWh(whole) : null,
    shared: produces ? toWh(local) : null,
    surplus: produces ? toWh(rest) : null,
    consumed: produces ? null : toWh(whole),
    allocated: produces ? null : toWh(local),
    complement: produces ? null : toWh(rest),
    pending: toWh(pending),
    selfConsumption: produces ? computeLocalRatio(local, rest) : null,
    selfProduction: produces ? null : computeLocalRatio(local, rest),
    valueCents: unitPrice === null ? null : computeValueCents([{ wattMinutes: local, price: unitPrice }]),
    co2Grams: computeAvoidedCo2Grams(toWh(local), factors.CO2_GRID_GRAMS, factors.CO2_SOLAR_GRAMS),
  }
}

/** The members with the most energy, and the total count. */
export async function loadMemberCompareRows(
  db: Db,
  actor: Actor,
  factors: Co2Factors,
  query: AnalyticsFilter,
  maxRows: number,
) {
  const all = (await loadComparedMemberSums(db, actor, query)).map(({ seat: participation, sum }) => {
    const parts = splitEnergy(sum.energy, sum)
    return { seat: participation, parts, size: toWh(parts.whole), name: getMemberName(participation) }
  })
  const first = all.sort((a, b) => b.size - a.size || (a.name < b.name ? -1 : 1)).slice(0, maxRows)
  return {
    rows: first.map(({ seat: participation, parts }) => toMemberCompareRow(participation, parts, factors)),
    count: all.length,
  }
}
