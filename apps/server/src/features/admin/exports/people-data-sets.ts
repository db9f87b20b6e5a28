import { dayStart } from '@voisol/energy/calendar'
import { and, asc, count, eq, gt, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { withinOperationLimit } from '../../../core/access-scopes.ts'
import { auditEntries, events, participations } from '../../../db/schema/index.ts'
import {
  type DataSetQuery,
  type DataSetSource,
  instantColumn,
  integerColumn,
  ROWS_PER_BATCH,
  readPages,
  textColumn,
} from './data-set.ts'

export const buildParticipationFilter = ({ actor, operationId, participantId }: DataSetQuery) =>
  and(
    eq(participations.companyId, actor.companyId),
    withinOperationLimit(actor, participations.operationId),
    operationId ? eq(participations.operationId, operationId) : undefined,
    participantId ? eq(participations.participantId, participantId) : undefined,
  )

const AUDIT_COLUMNS = [
  integerColumn('number', 'Numéro dans le journal'),
  instantColumn('at', 'Moment', 'UTC'),
  textColumn('actor', 'Qui'),
  textColumn('label', 'Action'),
  textColumn('action', 'Appel'),
  textColumn('target', 'Objet'),
  textColumn('outcome', 'done ou refused'),
  textColumn('ip', 'Adresse'),
  textColumn('request_id', 'Requête'),
  textColumn('detail', 'Détail, en JSON'),
  textColumn('hash', 'Empreinte du maillon, en hexadécimal'),
]

const getDayStart = (local: string) => new Date(dayStart(local) * 60_000)

/** The same condition for an instant: days are days in Paris time. */
const whereInstantInPeriod = (column: PgColumn, { from, to }: DataSetQuery): SQL | undefined =>
  and(from ? gte(column, getDayStart(from)) : undefined, to ? lt(column, getDayStart(to)) : undefined)

const buildAuditFilter = (asking: DataSetQuery) =>
  and(
    eq(auditEntries.companyId, asking.actor.companyId),
    whereInstantInPeriod(auditEntries.at, asking),
    asking.operationId ? sql`${auditEntries.detail} ->> 'operationId' = ${asking.operationId}` : undefined,
  )

export const auditSource: DataSetSource = {
  about: 'Une ligne par appel qui a changé quelque chose, et par refus, dans l’ordre de la chaîne.',
  columns: AUDIT_COLUMNS,
  read: (asking, from) =>
    readPages(
      AUDIT_COLUMNS,
      from,
      async (after) => {
        const rows = await asking.db
          .select()
          .from(auditEntries)
          .where(and(buildAuditFilter(asking), gt(auditEntries.seq, Number(after))))
          .orderBy(asc(auditEntries.seq))
          .limit(ROWS_PER_BATCH)
        return rows.map(({ seq, requestId, detail, hash, at, actor, label, action, target, outcome, ip }) => ({
          number: seq,
          at,
          actor,
          label,
          action,
          target,
          outcome,
          ip,
          request_id: requestId,
          detail: JSON.stringify(detail),
          hash: hash.toString('hex'),
        }))
      },
      ({ number }) => String(number),
    ),
  async count(asking) {
    const [sum] = await asking.db.select({ n: count() }).from(auditEntries).where(buildAuditFilter(asking))
    return sum?.n ?? 0
  },
}

const EVENT_COLUMNS = [
  integerColumn('number', 'Numéro dans l’organisation'),
  textColumn('id', 'Identifiant de l’événement'),
  textColumn('name', 'Ce qui s’est passé, par exemple invoice.issued'),
  textColumn('object', 'Identifiant de ce dont il s’agit'),
  instantColumn('at', 'Moment', 'UTC'),
  textColumn('data', 'Détail, en JSON'),
]

const buildEventFilter = (asking: DataSetQuery) =>
  and(eq(events.companyId, asking.actor.companyId), whereInstantInPeriod(events.at, asking))

export const eventSource: DataSetSource = {
  about: 'Une ligne par événement de l’organisation, dans l’ordre.',
  columns: EVENT_COLUMNS,
  read: (asking, from) =>
    readPages(
      EVENT_COLUMNS,
      from,
      async (after) => {
        const rows = await asking.db
          .select()
          .from(events)
          .where(and(buildEventFilter(asking), gt(events.seq, Number(after))))
          .orderBy(asc(events.seq))
          .limit(ROWS_PER_BATCH)
        return rows.map(({ seq, id, name, object, at, data }) => ({
          number: seq,
          id,
          name,
          object,
          at,
          data: JSON.stringify(data),
        }))
      },
      ({ number }) => String(number),
    ),
  async count(asking) {
    const [sum] = await asking.db.select({ n: count() }).from(events).where(buildEventFilter(asking))
    return sum?.n ?? 0
  },
}
