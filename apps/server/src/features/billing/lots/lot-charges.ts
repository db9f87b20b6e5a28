import { Lot, type LotCharges, type LotSpread, type LotsUpdate, SpreadBy } from '@voisol/contract/lots'
import { apportionByWeight } from '@voisol/money/lot-charges'
import { and, asc, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { lotSpreads, participants } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { participantScope } from '../../energy/participants/index.ts'
import { loadSuppliedDocuments, sumDocuments } from '../invoices/index.ts'

const StoredLotSpread = z.object({ by: SpreadBy, lots: z.array(Lot) })
type SpreadRow = { id: string; name: string; own: typeof lotSpreads.$inferSelect | null }

const selectSpreads = (db: Db) =>
  db
    .select({ id: participants.id, name: participants.name, own: lotSpreads })
    .from(participants)
    .leftJoin(
      lotSpreads,
      and(eq(lotSpreads.companyId, participants.companyId), eq(lotSpreads.participantId, participants.id)),
    )

function toLotSpread({ id, name, own }: SpreadRow): LotSpread {
  const { by, lots } = own ? StoredLotSpread.parse(own) : { by: 'share' as const, lots: [] }
  const shares = lots.reduce((sum, lot) => sum + lot.shares, 0)
  return { buyer: { id, name }, by, lots, shares, version: own?.version ?? 0 }
}

/** Buyers with a spread charge; one without lots is no longer spread. */
export async function listLotSpreads(db: Db, actor: Actor): Promise<LotSpread[]> {
  const rows = await selectSpreads(db)
    .where(and(participantScope(actor), sql`jsonb_array_length(${lotSpreads.lots}) > 0`))
    .orderBy(asc(sql`fold(${participants.name})`), participants.id)
  return rows.map(toLotSpread)
}

export async function loadLotSpread(db: Db, actor: Actor, id: string): Promise<LotSpread> {
  const [row] = await selectSpreads(db).where(and(participantScope(actor), eq(participants.id, id)))
  if (!row) throw new AppError('not-found')
  return toLotSpread(row)
}

export async function saveLotSpread(tx: Db, actor: Actor, id: string, input: z.output<typeof LotsUpdate>) {
  const { companyId } = actor
  await tx
    .select({ id: participants.id })
    .from(participants)
    .where(and(eq(participants.companyId, companyId), eq(participants.id, id)))
    .for('no key update')
  const before = await loadLotSpread(tx, actor, id)
  requireCurrentVersion(before, input)
  const values = { by: input.by, lots: input.lots, version: before.version + 1 }
  await tx
    .insert(lotSpreads)
    .values({ ...values, companyId, participantId: id })
    .onConflictDoUpdate({ target: [lotSpreads.companyId, lotSpreads.participantId], set: values })
  return { before, after: await loadLotSpread(tx, actor, id) }
}

type ChargePeriod = { from: string; to: string }

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
