import { DATA_SETS, type DataSet } from '@voisol/contract/feed'
import { and, asc, eq, gt, gte, lt, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { DATA_SET_LABELS } from '../../../adapters/connections/feed.ts'
import { withinLimit } from '../../../core/limit.ts'
import type { Db } from '../../../db/client.ts'
import { invoices, operations, participants, participations, payments, points } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { invoiceScope } from '../../money/invoices/invoices.ts'
import { paymentScope } from '../../money/payments/payments.ts'
import { seatsByMonth, toWh } from '../../understanding/energy/energy.ts'

/** Days are written as such, moments in UTC, cents and watt-minutes are whole numbers. */
export type ColumnType = 'text' | 'integer' | 'number' | 'day' | 'instant'
export type FeedColumn = { name: string; type: ColumnType; about: string }
export type FeedRow = Record<string, string | number | Date | null>
export type Asking = { db: Db; actor: Actor; month: string }
export type FeedSet = {
  id: DataSet
  label: string
  byMonth: boolean
  columns: FeedColumn[]
  /** Some rows at a time, whatever there is of them. */
  rows(asking: Asking): AsyncIterable<FeedRow[]>
}

const BATCH = 2000

/** By key, so that a page costs the same wherever it stands. */
async function* paged<T extends { id: string }>(
  read: (after: SQL | undefined) => Promise<T[]>,
  id: PgColumn,
): AsyncGenerator<T[]> {
  for (let last: string | undefined; ; ) {
    const rows = await read(last === undefined ? undefined : gt(id, last))
    if (rows.length) yield rows
    if (rows.length < BATCH) return
    last = rows.at(-1)?.id
  }
}

export const nextMonth = (month: string) => Temporal.PlainYearMonth.from(month).add({ months: 1 }).toString()
const within = (column: PgColumn, month: string) =>
  and(gte(column, `${month}-01`), lt(column, `${nextMonth(month)}-01`))

const text = (name: string, about: string): FeedColumn => ({ name, type: 'text', about })
const day = (name: string, about: string): FeedColumn => ({ name, type: 'day', about })
const integer = (name: string, about: string): FeedColumn => ({ name, type: 'integer', about })
const OPERATION = text('operation_id', 'Identifiant de l’opération')
const PRM = text('prm', 'Numéro du point de livraison, en texte\u00a0: ses quatorze chiffres ne se calculent pas')
const DIRECTION = text('direction', 'consumption ou production')

const ofOperations = (actor: Actor) => and(eq(operations.companyId, actor.companyId), withinLimit(actor, operations.id))

const operationSet: FeedSet = {
  id: 'operations',
  label: DATA_SET_LABELS.operations,
  byMonth: false,
  columns: [
    text('id', 'Identifiant de l’opération'),
    text('name', 'Nom'),
    text('acc_number', 'Numéro ACC donné par le distributeur'),
    text('status', 'État'),
    text('postal_code', 'Code postal'),
    text('city', 'Ville'),
    integer('step_minutes', 'Pas des courbes, en minutes'),
    day('starts_on', 'Premier jour'),
    day('ends_on', 'Jour de fin, exclu'),
    { name: 'created_at', type: 'instant', about: 'Création, en UTC' },
  ],
  rows: ({ db, actor }) =>
    paged(
      (after) =>
        db
          .select({
            id: operations.id,
            name: operations.name,
            acc_number: operations.accNumber,
            status: operations.status,
            postal_code: operations.postalCode,
            city: operations.city,
            step_minutes: operations.stepMinutes,
            starts_on: operations.startsOn,
            ends_on: operations.endsOn,
            created_at: operations.createdAt,
          })
          .from(operations)
          .where(and(ofOperations(actor), after))
          .orderBy(asc(operations.id))
          .limit(BATCH),
      operations.id,
    ),
}

const participantSet: FeedSet = {
  id: 'participants',
  label: DATA_SET_LABELS.participants,
  byMonth: false,
  columns: [
    text('id', 'Identifiant de la participation'),
    OPERATION,
    text('participant_id', 'Identifiant du participant'),
    text('name', 'Nom affiché'),
    text('kind', 'person ou organisation'),
    PRM,
    DIRECTION,
    text('segment', 'Segment du point'),
    day('starts_on', 'Premier jour dans l’opération'),
    day('ends_on', 'Jour de sortie, exclu'),
  ],
  rows: ({ db, actor }) =>
    paged(
      (after) =>
        db
          .select({
            id: participations.id,
            operation_id: participations.operationId,
            participant_id: participations.participantId,
            name: participants.name,
            kind: participants.kind,
            prm: points.prm,
            direction: points.direction,
            segment: points.segment,
            starts_on: participations.startsOn,
            ends_on: participations.endsOn,
          })
          .from(participations)
          .innerJoin(
            participants,
            and(
              eq(participants.companyId, participations.companyId),
              eq(participants.id, participations.participantId),
            ),
          )
          .innerJoin(points, and(eq(points.companyId, participations.companyId), eq(points.id, participations.pointId)))
          .where(
            and(eq(participations.companyId, actor.companyId), withinLimit(actor, participations.operationId), after),
          )
          .orderBy(asc(participations.id))
          .limit(BATCH),
      participations.id,
    ),
}

const energySet: FeedSet = {
  id: 'energies',
  label: DATA_SET_LABELS.energies,
  byMonth: true,
  columns: [
    day('month', 'Premier jour du mois'),
    OPERATION,
    text('participant_id', 'Identifiant du participant'),
    PRM,
    DIRECTION,
    { name: 'total_wh', type: 'number', about: 'Énergie soutirée ou injectée, en wattheures' },
    { name: 'local_wh', type: 'number', about: 'Part partagée dans l’opération, en wattheures' },
    integer('total_watt_minutes', 'La même, exacte\u00a0: 60 watt-minutes font un wattheure'),
    integer('local_watt_minutes', 'De même, de la part partagée'),
  ],
  async *rows({ db, actor, month }) {
    const period = { from: `${month}-01`, to: `${nextMonth(month)}-01` }
    const all = await db
      .select({ id: operations.id })
      .from(operations)
      .where(ofOperations(actor))
      .orderBy(operations.id)
    for (const { id } of all) {
      const seats = await seatsByMonth(db, actor.companyId, id, period)
      if (seats.length === 0) continue
      yield seats.map(({ member, month: first, sum }) => ({
        month: first,
        operation_id: member.operationId,
        participant_id: member.participantId,
        prm: member.prm,
        direction: member.direction,
        total_wh: toWh(sum.total),
        local_wh: toWh(sum.local),
        total_watt_minutes: sum.total,
        local_watt_minutes: sum.local,
      }))
    }
  },
}

const invoiceSet: FeedSet = {
  id: 'invoices',
  label: DATA_SET_LABELS.invoices,
  byMonth: true,
  columns: [
    text('id', 'Identifiant du document'),
    text('number', 'Numéro'),
    text('kind', 'invoice, complement, creditNote ou statement'),
    OPERATION,
    text('seller_id', 'Identifiant du vendeur'),
    text('buyer_id', 'Identifiant du participant facturé'),
    day('issued_on', 'Jour d’émission'),
    day('due_on', 'Échéance'),
    day('from_day', 'Premier jour de la période'),
    day('to_day', 'Jour de fin de la période, exclu'),
    integer('wh', 'Énergie facturée, en wattheures'),
    integer('net_cents', 'Montant hors taxe, en centimes'),
    integer('tax_cents', 'TVA, en centimes'),
    integer('gross_cents', 'Montant toutes taxes, en centimes'),
  ],
  rows: ({ db, actor, month }) =>
    paged(
      (after) =>
        db
          .select({
            id: invoices.id,
            number: invoices.number,
            kind: invoices.kind,
            operation_id: invoices.operationId,
            seller_id: invoices.sellerId,
            buyer_id: invoices.buyerId,
            issued_on: invoices.issuedOn,
            due_on: invoices.dueOn,
            from_day: invoices.from,
            to_day: invoices.to,
            wh: invoices.wh,
            net_cents: invoices.net,
            tax_cents: invoices.tax,
            gross_cents: invoices.gross,
          })
          .from(invoices)
          .where(and(invoiceScope(actor), within(invoices.issuedOn, month), after))
          .orderBy(asc(invoices.id))
          .limit(BATCH),
      invoices.id,
    ),
}

const paymentSet: FeedSet = {
  id: 'payments',
  label: DATA_SET_LABELS.payments,
  byMonth: true,
  columns: [
    text('id', 'Identifiant du règlement'),
    text('kind', 'receipt, refund, return, undo, writeOff, charge…'),
    text('method', 'transfer, debit, card…'),
    text('seller_id', 'Identifiant du vendeur'),
    text('buyer_id', 'Identifiant du participant'),
    day('booked_on', 'Jour où il compte'),
    integer('amount_cents', 'Montant en centimes, positif\u00a0: la sorte dit de quel côté'),
    { name: 'created_at', type: 'instant', about: 'Enregistrement, en UTC' },
  ],
  rows: ({ db, actor, month }) =>
    paged(
      (after) =>
        db
          .select({
            id: payments.id,
            kind: payments.kind,
            method: payments.method,
            seller_id: payments.sellerId,
            buyer_id: payments.buyerId,
            booked_on: payments.bookedOn,
            amount_cents: payments.amount,
            created_at: payments.createdAt,
          })
          .from(payments)
          .where(and(paymentScope(actor), within(payments.bookedOn, month), after))
          .orderBy(asc(payments.id))
          .limit(BATCH),
      payments.id,
    ),
}

export const FEED_SETS: Record<DataSet, FeedSet> = {
  operations: operationSet,
  participants: participantSet,
  energies: energySet,
  invoices: invoiceSet,
  payments: paymentSet,
}

export const dictionary = () =>
  DATA_SETS.map((id) => {
    const { label, byMonth, columns } = FEED_SETS[id]
    return { id, label, path: `/api/feed/${id}`, byMonth, columns }
  })
