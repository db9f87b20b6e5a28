import { BillPart, type BillVerdict, type NewSupplierBill, type SupplierBill } from '@voisol/contract/supplier-bills'
import { and, desc, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { isParticipantOfUser, participantIdsOfUser } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import { participants, participations, points, supplierBills } from '../../../db/schema/index.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { pointScope } from '../../energy/participants/index.ts'
import { evaluateBill, loadBillParts } from './check-bill.ts'

type CheckBillInput = z.output<typeof NewSupplierBill>
const StoredDetail = z.object({ sentences: z.array(z.string()), parts: z.array(BillPart) })
/** A supplier bills a year at most. */
const MAX_BILL_DAYS = 370

/** In the portal, only one's own: the meter may have had another holder before. */
const ownBillsSql = (actor: Actor) => (actor.space === 'portal' ? isParticipantOfUser(actor) : undefined)

const selectBills = (db: Db) =>
  db
    .select({ bill: supplierBills, participant: participants.name, prm: points.prm, label: points.label })
    .from(supplierBills)
    .innerJoin(
      participants,
      and(eq(participants.companyId, supplierBills.companyId), eq(participants.id, supplierBills.participantId)),
    )
    .innerJoin(points, and(eq(points.companyId, supplierBills.companyId), eq(points.id, supplierBills.pointId)))

type BillRow = Awaited<ReturnType<typeof selectBills>>[number]
function toSupplierBill({ bill, participant, prm, label }: BillRow): SupplierBill {
  const { id, supplier, number, from, to, deductedKwh, billedKwh, expectedWh } = bill
  return {
    id,
    participant: { id: bill.participantId, name: participant },
    point: { id: bill.pointId, prm, label },
    supplier,
    number,
    from,
    to,
    deductedKwh,
    billedKwh,
    verdict: bill.verdict as BillVerdict, // the column only stores these values
    expectedWh,
    ...StoredDetail.parse(bill.detail),
    by: bill.createdBy,
    at: bill.createdAt.toISOString(),
  }
}

const MAX_LISTED_BILLS = 200
export async function listSupplierBills(db: Db, actor: Actor): Promise<SupplierBill[]> {
  const rows = await selectBills(db)
    .where(and(eq(supplierBills.companyId, actor.companyId), pointScope(actor), ownBillsSql(actor)))
    .orderBy(desc(supplierBills.createdAt))
    .limit(MAX_LISTED_BILLS)
  return rows.map(toSupplierBill)
}

export async function loadSupplierBill(db: Db, actor: Actor, id: string): Promise<SupplierBill> {
  const which = and(eq(supplierBills.companyId, actor.companyId), eq(supplierBills.id, id))
  const [found] = await selectBills(db).where(and(which, pointScope(actor), ownBillsSql(actor)))
  if (!found) throw new AppError('not-found')
  return toSupplierBill(found)
}

/** Consumption meters and their holders. */
export async function loadConsumptionPoints(db: Db, actor: Actor) {
  const rows = await db
    .selectDistinct({ id: points.id, prm: points.prm, label: points.label, holder: participants.name })
    .from(points)
    .innerJoin(
      participations,
      and(eq(participations.companyId, points.companyId), eq(participations.pointId, points.id)),
    )
    .innerJoin(
      participants,
      and(eq(participants.companyId, points.companyId), eq(participants.id, participations.participantId)),
    )
    .where(and(pointScope(actor), ownBillsSql(actor), eq(points.direction, 'consumption')))
    .orderBy(participants.name)
  return rows.map(({ id, prm, label, holder }) => ({ id, prm, name: [holder, label].filter(Boolean).join(', ') }))
}

/** The holder of the meter on most days of the invoice. */
async function findHolderId(db: Db, actor: Actor, { pointId, from, to }: CheckBillInput) {
  const { rows } = await db.execute<{ id: string }>(sql`
    select m.participant_id as id from participations m
     where m.company_id = ${actor.companyId} and m.point_id = ${pointId}
       and m.starts_on < ${to}::date and (m.ends_on is null or m.ends_on > ${from}::date)
       and (${actor.space === 'office'} or m.participant_id in ${participantIdsOfUser(actor)})
     order by least(coalesce(m.ends_on, ${to}::date), ${to}::date) - greatest(m.starts_on, ${from}::date) desc
     limit 1`)
  return rows[0]?.id
}

async function requireConsumptionPoint(db: Db, actor: Actor, { pointId }: CheckBillInput) {
  const [row] = await db
    .select({ direction: points.direction })
    .from(points)
    .where(and(pointScope(actor), eq(points.id, pointId)))
  if (!row) throw new AppError('not-found')
  if (row.direction !== 'consumption')
    throw fieldError(
      'pointId',
      'Ce point produit\u00a0: un fournisseur ne lui facture rien. Choisissez un point de consommation.',
    )
}

function requireValidPeriod({ from, to }: CheckBillInput) {
  const days = Temporal.PlainDate.from(from).until(to).days
  if (days > MAX_BILL_DAYS)
    throw fieldError('to', `Une facture de ${days} jours est trop longue\u00a0: une année au plus.`)
  if (to > Temporal.PlainDate.from(getToday()).add({ days: 1 }).toString())
    throw fieldError('to', 'Cette période n’est pas finie\u00a0: elle ne peut pas encore être vérifiée.')
}

export async function checkSupplierBill(tx: Db, actor: Actor, draft: CheckBillInput): Promise<SupplierBill> {
  await requireConsumptionPoint(tx, actor, draft)
  requireValidPeriod(draft)
  const participantId = await findHolderId(tx, actor, draft)
  if (!participantId)
    throw fieldError(
      'from',
      'Ce point n’était dans aucune opération pendant cette période\u00a0: rien n’était à déduire.',
    )
  const { companyId } = actor
  const { pointId, from, to } = draft
  const parts = await loadBillParts(tx, { companyId, participantId, pointId, from, to })
  const { sentences, ...found } = evaluateBill(parts, draft)
  const values = { companyId, participantId, ...draft, ...found, detail: { sentences, parts } }
  const [row] = await tx
    .insert(supplierBills)
    .values({ ...values, createdBy: formatActorName(actor) })
    .returning({ id: supplierBills.id })
  if (!row) throw new AppError('internal')
  return loadSupplierBill(tx, actor, row.id)
}
