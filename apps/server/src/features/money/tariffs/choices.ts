import { formatDwellingName } from '@voisol/contract/points'
import type { TariffChoices } from '@voisol/contract/tariffs'
import { requireVisibleOperation } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { loadOperationTerms, loadSellers } from '../parties/parties.ts'
import { loadClosedMonthPeriods } from './closed.ts'
import { loadMarket } from './market.ts'

const toNamedOptions = (entries: Iterable<readonly [string, string]>) =>
  [...new Map(entries)].map(([id, name]) => ({ id, name })).sort((a, b) => a.name.localeCompare(b.name, 'fr'))

/**
 * What a tariff of the operation can refer to: past and present members, the company's groups, and the sellers there.
 */
export async function loadTariffChoices(db: Db, actor: Actor, operationId: string): Promise<TariffChoices> {
  const { companyId } = actor
  await requireVisibleOperation(db, actor, operationId)
  const market = await loadMarket(db, companyId, operationId, { from: '1900-01-01', to: null })
  const producers = market.members.filter(({ direction }) => direction === 'production')
  const buyers = market.members.filter(({ direction }) => direction === 'consumption')
  const holders = new Set(producers.map(({ holderId }) => holderId))
  const { supplierPrice, surplusPrice, organiserId } = await loadOperationTerms(db, companyId, operationId)
  const sellers = (await loadSellers(db, companyId)).filter(
    ({ id, participantId }) => id === organiserId || participantId === null || holders.has(participantId),
  )
  return {
    producers: toNamedOptions(
      producers.map(({ pointId, label, holder }) => [pointId, formatDwellingName(label, holder)]),
    ),
    buyers: toNamedOptions(buyers.map(({ holderId, holder }) => [holderId, holder])).map((buyer) => ({
      ...buyer,
      groupId: market.groupOf.get(buyer.id) ?? null,
    })),
    groups: toNamedOptions(market.groups),
    sellers: toNamedOptions(sellers.map(({ id, name }) => [id, name])),
    classes: market.classes,
    supplierPrice,
    surplusPrice,
    openFrom: (await loadClosedMonthPeriods(db, companyId, operationId)).at(-1)?.to ?? null,
  }
}
