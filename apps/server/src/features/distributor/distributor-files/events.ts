import type { ContractEvent } from '@voisol/contract/distributor-files'
import type { ListQuery } from '@voisol/contract/list'
import { and, asc, count, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { matches, orderBy, pageOf } from '../../../db/list.ts'
import { contractEvents } from '../../../db/schema/index.ts'
import { frenchDay, NBSP } from '../../../french.ts'
import type { Actor } from '../../../http/actor.ts'
import { notify } from '../../people/notifications/notifications.ts'
import type { FoundEvent } from './found.ts'
import { eventScope } from './scope.ts'
import type { Writing } from './store.ts'

const MEANINGS: Record<string, string> = {
  CFNE: 'Changement de fournisseur : le point entre chez un nouveau fournisseur.',
  CFNS: 'Changement de fournisseur : le point quitte son fournisseur.',
  MES: 'Mise en service : un titulaire arrive.',
  PMES: 'Première mise en service du point.',
  RES: 'Résiliation : le titulaire s’en va.',
  MCT: 'Modification du contrat : formule, puissance ou calendrier.',
  MCF: 'Modification de la formule d’acheminement.',
  CMAT: 'Changement de matériel de comptage.',
  MDPRM: 'Modification des données du point.',
  CTAR: 'Changement de tarif.',
  AUTRE: 'Autre événement du contrat.',
}
/** The holder or the supplier is gone: the point may not stay in its operation as it is. */
const DEPARTURES: Record<string, string> = { RES: 'Contrat résilié', CFNS: 'Départ du fournisseur' }

const meaningOf = (event: string) =>
  (Object.hasOwn(MEANINGS, event) ? MEANINGS[event] : undefined) ?? `Événement ${event} du distributeur.`

/** Keeps events, each once, and tells of those that concern an operation. How many the file says of our points. */
export async function storeEvents(tx: Db, writing: Writing, found: FoundEvent[]): Promise<number> {
  const { companyId, fileId } = writing
  const rows = new Map(found.map((event) => [`${event.prm} ${event.event} ${event.on}`, event]))
  for (const event of rows.values()) {
    const { collective } = event
    await tx
      .insert(contractEvents)
      .values({ companyId, fileId, ...event })
      .onConflictDoUpdate({
        target: [contractEvents.companyId, contractEvents.prm, contractEvents.event, contractEvents.on],
        set: { collective },
      })
    if (Object.hasOwn(DEPARTURES, event.event)) await tell(tx, writing, event)
  }
  return rows.size
}

type Concerned = { id: string; name: string; label: string }

async function tell(tx: Db, { deps, companyId }: Writing, { prm, event, on }: FoundEvent): Promise<void> {
  const { rows } = await tx.execute<Concerned>(sql`
    select distinct o.id, o.name, coalesce(nullif(p.label, ''), p.prm) as label from points p
      join participations m on m.company_id = p.company_id and m.point_id = p.id
      join operations o on o.company_id = m.company_id and o.id = m.operation_id
     where p.company_id = ${companyId} and p.prm = ${prm} and o.status = 'active'
       and m.starts_on <= ${on}::date and (m.ends_on is null or m.ends_on > ${on}::date)`)
  for (const { id, name, label } of rows)
    await notify(tx, deps, {
      companyId,
      to: 'admins',
      category: 'operations',
      type: 'warning',
      priority: 'high',
      title: `${DEPARTURES[event]}${NBSP}: ${label}`,
      message: `Le distributeur annonce pour le ${frenchDay(on)} l’événement ${event} du point ${prm}, qui est dans l’opération «${NBSP}${name}${NBSP}». ${meaningOf(event)} Vérifiez sa date de sortie.`,
      action: { label: 'Voir l’opération', url: `/acc-operations/${id}` },
      key: `contract-event ${id} ${prm} ${event} ${on}`,
    })
}

const pointOf = sql`(select p.id, p.label from points p where p.company_id = ${contractEvents.companyId}
  and p.prm = ${contractEvents.prm} order by p.direction limit 1) p`
const SORTS = { on: contractEvents.on, prm: contractEvents.prm, event: contractEvents.event }

export async function listEvents(db: Db, actor: Actor, query: ListQuery) {
  const where = and(eventScope(actor), matches(query.q, [contractEvents.prm, contractEvents.event, sql`p.label`]))
  const { limit, offset } = pageOf(query)
  const from = db
    .select({ row: contractEvents, pointId: sql<string | null>`p.id`, label: sql<string | null>`p.label` })
    .from(contractEvents)
    .leftJoinLateral(pointOf, sql`true`)
    .where(where)
  const rows = await from
    .orderBy(orderBy(query.sort, SORTS, '-on'), asc(contractEvents.id))
    .limit(limit)
    .offset(offset)
  const [all] = await db.select({ n: count() }).from(contractEvents).leftJoinLateral(pointOf, sql`true`).where(where)
  return { items: rows.map(toEvent), total: all?.n ?? 0 }
}

type Listed = { row: typeof contractEvents.$inferSelect; pointId: string | null; label: string | null }
const toEvent = ({ row, pointId, label }: Listed): ContractEvent => ({
  id: row.id,
  prm: row.prm,
  pointId,
  label: label ?? '',
  event: row.event,
  on: row.on,
  collective: row.collective,
  meaning: meaningOf(row.event),
})
