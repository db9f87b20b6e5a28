import type { LotCharges } from '@voisol/contract/lots'
import { spreadOver } from '@voisol/money/lots'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { sumOf, suppliedIn } from '../invoices/invoices.ts'
import { getSpread, listSpreads } from './spread.ts'

export type Span = { from: string; to: string }

/** Which buyers are spread over lots. */
export const spreadIds = async (db: Db, actor: Actor): Promise<Set<string>> =>
  new Set((await listSpreads(db, actor)).map(({ buyer }) => buyer.id))

/** What a buyer was invoiced for some days of supply, over its lots to the cent and to the watt-hour. */
export async function chargesOf(db: Db, actor: Actor, id: string, { from, to }: Span): Promise<LotCharges> {
  if (to <= from) throw fieldError('to', 'La fin de la période doit venir après son début.')
  const { buyer, by, lots, shares } = await getSpread(db, actor, id)
  if (lots.length === 0)
    throw new AppError('conflict', {
      message: `${buyer.name} n’a pas de lots\u00a0: enregistrez-les, avec leurs tantièmes, avant de répartir sa charge.`,
    })
  const documents = (await suppliedIn(db, actor, { buyerId: id, from, to })).filter(({ kind }) => kind !== 'statement')
  const { wh, gross } = sumOf(documents)
  const weights = lots.map((lot) => (by === 'share' ? lot.shares : 1))
  const [energies, amounts] = [spreadOver(wh, weights), spreadOver(gross, weights)]
  return {
    buyer,
    by,
    from,
    to,
    shares,
    documents: documents.map((one) => ({ id: one.id, number: one.number, gross: sumOf([one]).gross })),
    wh,
    gross,
    lots: lots.map((lot, at) => ({ ...lot, wh: energies[at] ?? 0, gross: amounts[at] ?? 0 })),
  }
}
