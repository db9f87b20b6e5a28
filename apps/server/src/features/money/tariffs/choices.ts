import { seatName } from '@voisol/contract/points'
import type { TariffChoices } from '@voisol/contract/tariffs'
import { findOperation } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { sellersOf, termsOf } from '../parties/parties.ts'
import { closedMonths } from './closed.ts'
import { marketOf } from './market.ts'

const named = (entries: Iterable<readonly [string, string]>) =>
  [...new Map(entries)].map(([id, name]) => ({ id, name })).sort((a, b) => a.name.localeCompare(b.name, 'fr'))

/** What a tariff of the operation may name: whoever takes or took part, the company's groups, and who sells there. */
export async function readChoices(db: Db, actor: Actor, operationId: string): Promise<TariffChoices> {
  const { companyId } = actor
  await findOperation(db, actor, operationId)
  const market = await marketOf(db, companyId, operationId, { from: '1900-01-01', to: null })
  const producers = market.members.filter(({ direction }) => direction === 'production')
  const buyers = market.members.filter(({ direction }) => direction === 'consumption')
  const holders = new Set(producers.map(({ holderId }) => holderId))
  const { supplierPrice, surplusPrice, organiserId } = await termsOf(db, companyId, operationId)
  const sellers = (await sellersOf(db, companyId)).filter(
    ({ id, participantId }) => id === organiserId || participantId === null || holders.has(participantId),
  )
  return {
    producers: named(producers.map(({ pointId, label, holder }) => [pointId, seatName(label, holder)])),
    buyers: named(buyers.map(({ holderId, holder }) => [holderId, holder])).map((buyer) => ({
      ...buyer,
      groupId: market.groupOf.get(buyer.id) ?? null,
    })),
    groups: named(market.groups),
    sellers: named(sellers.map(({ id, name }) => [id, name])),
    classes: market.classes,
    supplierPrice,
    surplusPrice,
    openFrom: (await closedMonths(db, companyId, operationId)).at(-1)?.to ?? null,
  }
}
