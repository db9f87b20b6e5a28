import { and, asc, count, eq, gt, sql } from 'drizzle-orm'
import { auditEntries, events } from '../../../db/schema/index.ts'
import { type Asking, BATCH, during, instant, integer, paged, type Source, text } from './data-set.ts'

const AUDIT = [
  integer('number', 'Numéro dans le journal'),
  instant('at', 'Moment', 'UTC'),
  text('actor', 'Qui'),
  text('label', 'Action'),
  text('action', 'Appel'),
  text('target', 'Objet'),
  text('outcome', 'done ou refused'),
  text('ip', 'Adresse'),
  text('request_id', 'Requête'),
  text('detail', 'Détail, en JSON'),
  text('hash', 'Empreinte du maillon, en hexadécimal'),
]

const ofAudit = (asking: Asking) =>
  and(
    eq(auditEntries.companyId, asking.actor.companyId),
    during(auditEntries.at, asking),
    asking.operationId ? sql`${auditEntries.detail} ->> 'operationId' = ${asking.operationId}` : undefined,
  )

export const auditSource: Source = {
  about: 'Une ligne par appel qui a changé quelque chose, et par refus, dans l’ordre de la chaîne.',
  columns: AUDIT,
  read: (asking, from) =>
    paged(
      AUDIT,
      from,
      async (after) => {
        const rows = await asking.db
          .select()
          .from(auditEntries)
          .where(and(ofAudit(asking), gt(auditEntries.seq, Number(after))))
          .orderBy(asc(auditEntries.seq))
          .limit(BATCH)
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
    const [sum] = await asking.db.select({ n: count() }).from(auditEntries).where(ofAudit(asking))
    return sum?.n ?? 0
  },
}

const EVENTS = [
  integer('number', 'Numéro dans l’organisation'),
  text('id', 'Identifiant de l’événement'),
  text('name', 'Ce qui s’est passé, par exemple invoice.issued'),
  text('object', 'Identifiant de ce dont il s’agit'),
  instant('at', 'Moment', 'UTC'),
  text('data', 'Détail, en JSON'),
]

const ofEvents = (asking: Asking) => and(eq(events.companyId, asking.actor.companyId), during(events.at, asking))

export const eventSource: Source = {
  about: 'Une ligne par événement de l’organisation, dans l’ordre.',
  columns: EVENTS,
  read: (asking, from) =>
    paged(
      EVENTS,
      from,
      async (after) => {
        const rows = await asking.db
          .select()
          .from(events)
          .where(and(ofEvents(asking), gt(events.seq, Number(after))))
          .orderBy(asc(events.seq))
          .limit(BATCH)
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
    const [sum] = await asking.db.select({ n: count() }).from(events).where(ofEvents(asking))
    return sum?.n ?? 0
  },
}
