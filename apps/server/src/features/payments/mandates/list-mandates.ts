import type { mandates as contract, Mandate, MandateState } from '@voisol/contract/mandates'
import { and, asc, desc, eq, ne, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { participantIdsOfUser, withinOperationLimit } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import { files, mandates, participants, sellers } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { loadCreditorsOn } from '../../billing/parties/index.ts'
import { loadSettingsOn } from '../../billing/settings/index.ts'
import { participantScope } from '../../energy/participants/index.ts'
import { loadMandateCreditors, type MandateCreditor } from './mandate-text.ts'

/**
 * Mandates of visible participants: the whole company, the operations the user is limited to, or one's own in the
 * portal.
 */
export const mandateScope = (actor: Actor): SQL | undefined =>
  and(
    eq(mandates.companyId, actor.companyId),
    actor.space === 'office'
      ? actor.operationIds
        ? sql`${mandates.participantId} in (select participant_id from participations
            where company_id = ${actor.companyId} and ${withinOperationLimit(actor, sql`operation_id`)})`
        : undefined
      : sql`${mandates.participantId} in ${participantIdsOfUser(actor)}`,
  )

/** Loads a participant the actor may read: in the portal, oneself. */
export async function requireDebtor(db: Db, actor: Actor, id: string) {
  const [row] = await db
    .select({ id: participants.id })
    .from(participants)
    .where(and(participantScope(actor), eq(participants.id, id)))
  if (!row) throw new AppError('not-found')
}

export type MandateRow = typeof mandates.$inferSelect

/** The day a mandate lapses if nothing is debited until then. */
export const computeLapseDay = (
  { lastDebitOn, signedOn }: Pick<MandateRow, 'lastDebitOn' | 'signedOn'>,
  months: number,
) =>
  Temporal.PlainDate.from(lastDebitOn ?? signedOn)
    .add({ months })
    .toString()

async function loadMandates(
  db: Db,
  companyId: number,
  where: SQL | undefined,
  creditors: readonly MandateCreditor[],
): Promise<Mandate[]> {
  const rows = await db
    .select({ row: mandates, creditor: sellers.name, participant: participants.name, file: files })
    .from(mandates)
    .innerJoin(sellers, and(eq(sellers.companyId, mandates.companyId), eq(sellers.id, mandates.creditorId)))
    .innerJoin(
      participants,
      and(eq(participants.companyId, mandates.companyId), eq(participants.id, mandates.participantId)),
    )
    .leftJoin(files, and(eq(files.companyId, mandates.companyId), eq(files.id, mandates.fileId)))
    .where(where)
    .orderBy(asc(participants.name), desc(mandates.createdAt))
  const ics = new Map(creditors.map((one) => [one.id, one.ics]))
  const months = (await loadSettingsOn(db, companyId, getToday()))['mandate.lapseMonths'].value
  return rows.map(({ row, creditor, participant, file }) => ({
    id: row.id,
    creditorId: row.creditorId,
    participantId: row.participantId,
    creditor,
    ics: ics.get(row.creditorId) ?? '',
    participant,
    rum: row.rum,
    // The columns only store these values, and the proof is what `signMandate` wrote.
    kind: row.kind as Mandate['kind'],
    method: row.method as Mandate['method'],
    state: row.status as MandateState,
    proof: row.proof as Mandate['proof'],
    holder: row.holder,
    ibanEnd: row.ibanEnd,
    bic: row.bic,
    signedOn: row.signedOn,
    file: file && { name: file.name, size: file.size },
    firstDebitOn: row.firstDebitOn,
    lastDebitOn: row.lastDebitOn,
    amended: row.formerIban !== null,
    stateOn: row.statusOn,
    reason: row.statusReason,
    lapsesOn: computeLapseDay(row, months),
    version: row.version,
  }))
}

export async function loadMandate(db: Db, actor: Actor, id: string): Promise<Mandate> {
  const creditors = await loadMandateCreditors(db, actor.companyId)
  const [found] = await loadMandates(db, actor.companyId, and(mandateScope(actor), eq(mandates.id, id)), creditors)
  if (!found) throw new AppError('not-found')
  return found
}

/** In the portal, creditors that debit for the user's sellers or producers; null when all are visible. */
async function loadVisibleCreditorIds(db: Db, actor: Actor): Promise<Set<string> | null> {
  const { space, companyId } = actor
  if (space === 'office') return null
  const { rows } = await db.execute<{ id: string }>(sql`
    with own as ${participantIdsOfUser(actor)}
    select seller_id as id from invoices where company_id = ${companyId} and buyer_id in (select id from own)
    union
    select s.id from sellers s
      join participations p on p.company_id = s.company_id and p.participant_id = s.participant_id
      join participations m on m.company_id = p.company_id and m.operation_id = p.operation_id
     where s.company_id = ${companyId} and m.participant_id in (select id from own)`)
  const creditors = await loadCreditorsOn(db, companyId, getToday())
  return new Set(rows.map(({ id }) => creditors.get(id)?.id ?? id))
}

type MandateListQuery = z.output<typeof contract.list.query>
export async function listMandates(db: Db, actor: Actor, { participantId, state }: MandateListQuery) {
  if (participantId) await requireDebtor(db, actor, participantId)
  const whose = participantId ? eq(mandates.participantId, participantId) : undefined
  const which = state ? eq(mandates.status, state) : undefined
  const allCreditors = await loadMandateCreditors(db, actor.companyId)
  const items = await loadMandates(db, actor.companyId, and(mandateScope(actor), whose, which), allCreditors)
  const own = await loadVisibleCreditorIds(db, actor)
  const creditors = allCreditors.filter(({ id }) => !own || own.has(id)).map(({ id, name, ics }) => ({ id, name, ics }))
  const people = await db
    .select({ id: participants.id, name: participants.name })
    .from(participants)
    .where(participantScope(actor))
    .orderBy(asc(participants.name))
    .limit(5000)
  const noted = await db.$count(participants, and(participantScope(actor), ne(participants.mandateReference, '')))
  return { items, creditors, people, noted }
}
