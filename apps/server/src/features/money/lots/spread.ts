import { Lot, type LotSpread, type LotsUpdate, SpreadBy } from '@voisol/contract/lots'
import { and, asc, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { lotSpreads, participants } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'
import { participantScope } from '../../energy/participants/participants.ts'

const Stored = z.object({ by: SpreadBy, lots: z.array(Lot) })
type Row = { id: string; name: string; own: typeof lotSpreads.$inferSelect | null }

const joined = (db: Db) =>
  db
    .select({ id: participants.id, name: participants.name, own: lotSpreads })
    .from(participants)
    .leftJoin(
      lotSpreads,
      and(eq(lotSpreads.companyId, participants.companyId), eq(lotSpreads.participantId, participants.id)),
    )

function viewOf({ id, name, own }: Row): LotSpread {
  const { by, lots } = own ? Stored.parse(own) : { by: 'share' as const, lots: [] }
  const shares = lots.reduce((sum, lot) => sum + lot.shares, 0)
  return { buyer: { id, name }, by, lots, shares, version: own?.version ?? 0 }
}

/** Those whose charge is spread: without a lot it is not any more. */
export async function listSpreads(db: Db, actor: Actor): Promise<LotSpread[]> {
  const rows = await joined(db)
    .where(and(participantScope(actor), sql`jsonb_array_length(${lotSpreads.lots}) > 0`))
    .orderBy(asc(sql`fold(${participants.name})`), participants.id)
  return rows.map(viewOf)
}

export async function getSpread(db: Db, actor: Actor, id: string): Promise<LotSpread> {
  const [row] = await joined(db).where(and(participantScope(actor), eq(participants.id, id)))
  if (!row) throw new AppError('not-found')
  return viewOf(row)
}

export async function saveLots(tx: Db, actor: Actor, id: string, input: z.output<typeof LotsUpdate>) {
  const { companyId } = actor
  await tx
    .select({ id: participants.id })
    .from(participants)
    .where(and(eq(participants.companyId, companyId), eq(participants.id, id)))
    .for('no key update')
  const before = await getSpread(tx, actor, id)
  requireVersion(before, input)
  const values = { by: input.by, lots: input.lots, version: before.version + 1 }
  await tx
    .insert(lotSpreads)
    .values({ ...values, companyId, participantId: id })
    .onConflictDoUpdate({ target: [lotSpreads.companyId, lotSpreads.participantId], set: values })
  return { before, after: await getSpread(tx, actor, id) }
}
