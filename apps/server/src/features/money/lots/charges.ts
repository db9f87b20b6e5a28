import type { LotCharges } from '@voisol/contract/lots'
import { apportionByWeight } from '@voisol/money/lots'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { loadSuppliedDocuments, sumDocuments } from '../invoices/invoices.ts'
import { listLotSpreads, loadLotSpread } from './spread.ts'

export type ChargePeriod = { from: string; to: string }

/** The buyers whose charge is spread over lots. */
export const loadSpreadBuyerIds = async (db: Db, actor: Actor): Promise<Set<string>> =>
  new Set((await listLotSpreads(db, actor)).map(({ buyer }) => buyer.id))

/** What a buyer was invoiced for a supply period, spread over its lots to the cent and the watt-hour. */
export async function loadLotCharges(
  db: Db,
  actor: Actor,
  id: string,
  { from, to }: ChargePeriod,
): Promise<LotCharges> {
  if (to <= from) throw fieldError('to', 'La fin de la période doit venir après son début.')
  const { buyer, by, lots, shares } = await loadLotSpread(db, actor, id)
  if (lots.length === 0)
    throw new AppError('conflict', {
      message: `${buyer.name} n’a pas de lots\u00a0: enregistrez-les, avec leurs tantièmes, avant de répartir sa charge.`,
    })
  const documents = (await loadSuppliedDocuments(db, actor, { buyerId: id, from, to })).filter(
    ({ kind }) => kind !== 'statement',
  )
  const { wh, gross } = sumDocuments(documents)
  const weights = lots.map((lot) => (by === 'share' ? lot.shares : 1))
  const [energies, amounts] = [apportionByWeight(wh, weights), apportionByWeight(gross, weights)]
  return {
    buyer,
    by,
    from,
    to,
    shares,
    documents: documents.map((one) => ({ id: one.id, number: one.number, gross: sumDocuments([one]).gross })),
    wh,
    gross,
    lots: lots.map((lot, at) => ({ ...lot, wh: energies[at] ?? 0, gross: amounts[at] ?? 0 })),
  }
}
