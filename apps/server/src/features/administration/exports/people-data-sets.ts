import { and, asc, count, eq, gt, sql } from 'drizzle-orm'
import { withinOperationLimit } from '../../../core/access-scopes.ts'
import { auditEntries, events, operations, participants, participations, points } from '../../../db/schema/index.ts'
import { pointScope } from '../../energy/participants/participants.ts'
import {
  type DataSetQuery,
  type DataSetSource,
  DIRECTION_COLUMN,
  dayColumn,
  instantColumn,
  integerColumn,
  OPERATION_COLUMN,
  PRM_COLUMN,
  ROWS_PER_BATCH,
  readPages,
  textColumn,
  whereInstantInPeriod,
} from './data-set.ts'

const buildOperationFilter = ({ actor, operationId }: DataSetQuery) =>
  and(
    eq(operations.companyId, actor.companyId),
    withinOperationLimit(actor, operations.id),
    operationId ? eq(operations.id, operationId) : undefined,
  )

const OPERATION_COLUMNS = [
  textColumn('id', 'Identifiant de l’opération'),
  textColumn('name', 'Nom'),
  textColumn('acc_number', 'Numéro ACC donné par le distributeur'),
  textColumn('status', 'État'),
  textColumn('postal_code', 'Code postal'),
  textColumn('city', 'Ville'),
  integerColumn('step_minutes', 'Pas des courbes', 'min'),
  dayColumn('starts_on', 'Premier jour'),
  dayColumn('ends_on', 'Jour de fin, exclu'),
  instantColumn('created_at', 'Création', 'UTC'),
]

export const operationSource: DataSetSource = {
  about: 'Une ligne par opération, telle qu’elle est aujourd’hui.',
  columns: OPERATION_COLUMNS,
  read: (asking, from) =>
    readPages(
      OPERATION_COLUMNS,
      from,
      (after) =>
        asking.db
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
          .where(and(buildOperationFilter(asking), after ? gt(operations.id, after) : undefined))
          .orderBy(asc(operations.id))
          .limit(ROWS_PER_BATCH),
      ({ id }) => id,
    ),
  async count(asking) {
    const [sum] = await asking.db.select({ n: count() }).from(operations).where(buildOperationFilter(asking))
    return sum?.n ?? 0
  },
}

export const buildParticipationFilter = ({ actor, operationId, participantId }: DataSetQuery) =>
  and(
    eq(participations.companyId, actor.companyId),
    withinOperationLimit(actor, participations.operationId),
    operationId ? eq(participations.operationId, operationId) : undefined,
    participantId ? eq(participations.participantId, participantId) : undefined,
  )

const PARTICIPANT_COLUMNS = [
  textColumn('id', 'Identifiant de la participation'),
  OPERATION_COLUMN,
  textColumn('participant_id', 'Identifiant du participant'),
  textColumn('name', 'Nom affiché'),
  textColumn('kind', 'person ou organisation'),
  PRM_COLUMN,
  DIRECTION_COLUMN,
  textColumn('segment', 'Segment du point'),
  dayColumn('starts_on', 'Premier jour dans l’opération'),
  dayColumn('ends_on', 'Jour de sortie, exclu'),
]

export const participantSource: DataSetSource = {
  about: 'Une ligne par participation\u00a0: une personne, un point, une opération, ses jours.',
  columns: PARTICIPANT_COLUMNS,
  read: (asking, from) =>
    readPages(
      PARTICIPANT_COLUMNS,
      from,
      (after) =>
        asking.db
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
          .where(and(buildParticipationFilter(asking), after ? gt(participations.id, after) : undefined))
          .orderBy(asc(participations.id))
          .limit(ROWS_PER_BATCH),
      ({ id }) => id,
    ),
  async count(asking) {
    const [sum] = await asking.db.select({ n: count() }).from(participations).where(buildParticipationFilter(asking))
    return sum?.n ?? 0
  },
}

/** The points of the filtered operation or participant. */
const buildPointFilter = (asking: DataSetQuery) =>
  and(
    pointScope(asking.actor),
    asking.operationId || asking.participantId
      ? sql`${points.id} in (select ${participations.pointId} from ${participations} where ${buildParticipationFilter(asking)})`
      : undefined,
  )

const POINT_COLUMNS = [
  textColumn('id', 'Identifiant du point'),
  PRM_COLUMN,
  DIRECTION_COLUMN,
  textColumn('label', 'Libellé'),
  textColumn('segment', 'Segment'),
  integerColumn('subscribed_va', 'Puissance souscrite', 'VA'),
  integerColumn('peak_watts', 'Puissance crête de la centrale', 'W'),
  dayColumn('commissioned_on', 'Mise en service'),
  textColumn('address', 'Adresse'),
]

export const pointSource: DataSetSource = {
  about: 'Une ligne par point et par sens\u00a0: ce qu’il soutire, ou ce qu’il injecte.',
  columns: POINT_COLUMNS,
  read: (asking, from) =>
    readPages(
      POINT_COLUMNS,
      from,
      (after) =>
        asking.db
          .select({
            id: points.id,
            prm: points.prm,
            direction: points.direction,
            label: points.label,
            segment: points.segment,
            subscribed_va: points.subscribedVa,
            peak_watts: points.peakWatts,
            commissioned_on: points.commissionedOn,
            address: points.address,
          })
          .from(points)
          .where(and(buildPointFilter(asking), after ? gt(points.id, after) : undefined))
          .orderBy(asc(points.id))
          .limit(ROWS_PER_BATCH),
      ({ id }) => id,
    ),
  async count(asking) {
    const [sum] = await asking.db.select({ n: count() }).from(points).where(buildPointFilter(asking))
    return sum?.n ?? 0
  },
}

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
