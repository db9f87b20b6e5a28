import type { ContractEvent } from '@voisol/contract/distributor-files'
import type { EventData } from '@voisol/contract/events'
import type { ListQuery } from '@voisol/contract/primitives'
import { and, asc, count, eq, type SQL, sql } from 'drizzle-orm'
import { pointNameOnDaySql } from '../../../core/point-names.ts'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list-query.ts'
import { contractEvents } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import type { Secrets } from '../../../secrets.ts'
import type { ParsedContractEvent } from './parsed-content.ts'

export type KnownPoints = {
  prms: string[]
  ids: string[]
  /** Points that the file names and the company does not have. */
  unknown: number
  /** The point with the named direction, or the only one of this PRM when the file names none. */
  find(prm: string, direction: string | null): string | undefined
}

export type StoreFileInput = {
  secrets: Secrets
  companyId: number
  fileId: string
  known: KnownPoints
  receivedAt: Date
}

export type Departure = EventData<'departure.announced'>

const EVENT_MEANINGS: Record<string, string> = {
  CFNE: 'Changement de fournisseur\u00a0: le point entre chez un nouveau fournisseur.',
  CFNS: 'Changement de fournisseur\u00a0: le point quitte son fournisseur.',
  MES: 'Mise en service\u00a0: un titulaire arrive.',
  PMES: 'Première mise en service du point.',
  RES: 'Résiliation\u00a0: le titulaire s’en va.',
  MCT: 'Modification du contrat\u00a0: formule, puissance ou calendrier.',
  MCF: 'Modification de la formule d’acheminement.',
  CMAT: 'Changement de matériel de comptage.',
  MDPRM: 'Modification des données du point.',
  CTAR: 'Changement de tarif.',
  AUTRE: 'Autre événement du contrat.',
}
/** The contract or the supplier ended: the point cannot stay in its operation unchanged. */
export const DEPARTURE_LABELS: Record<string, string> = { RES: 'Contrat résilié', CFNS: 'Départ du fournisseur' }

export const describeContractEvent = (event: string) =>
  (Object.hasOwn(EVENT_MEANINGS, event) ? EVENT_MEANINGS[event] : undefined) ?? `Événement ${event} du distributeur.`

/**
 * Stores each event once. Returns the number of events of known points, and the departures that concern an operation.
 */
export async function storeContractEvents(tx: Db, { companyId, fileId }: StoreFileInput, found: ParsedContractEvent[]) {
  const departures: Departure[] = []
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
    departures.push(...(await listConcernedOperations(tx, companyId, event)))
  }
  return { count: rows.size, departures }
}

/** The operations in which the departing point takes part on that day. */
async function listConcernedOperations(
  tx: Db,
  companyId: number,
  { prm, event, on }: ParsedContractEvent,
): Promise<Departure[]> {
  if (!Object.hasOwn(DEPARTURE_LABELS, event)) return []
  const { rows } = await tx.execute<Departure>(sql`
    select distinct on (o.id) o.id as "operationId", p.id as "pointId", ${event} as event, ${on} as on from points p
      join participations m on m.company_id = p.company_id and m.point_id = p.id
      join operations o on o.company_id = m.company_id and o.id = m.operation_id
     where p.company_id = ${companyId} and p.prm = ${prm} and o.status = 'active'
       and m.starts_on <= ${on}::date and (m.ends_on is null or m.ends_on > ${on}::date)
     order by o.id, p.direction`)
  return rows
}

const buildPointQuery = ({
  companyId,
}: Actor) => sql`(select p.id, ${pointNameOnDaySql(companyId, sql`p`)} as label from points p
  where p.company_id = ${companyId} and p.prm = ${contractEvents.prm} order by p.direction limit 1) p`
const SORT_COLUMNS = { on: contractEvents.on, prm: contractEvents.prm, event: contractEvents.event }

const contractEventScope = ({ companyId }: Actor): SQL => eq(contractEvents.companyId, companyId)

export async function listContractEvents(db: Db, actor: Actor, query: ListQuery) {
  const where = and(
    contractEventScope(actor),
    matchesSearchWords(query.q, [contractEvents.prm, contractEvents.event, sql`p.label`]),
  )
  const { limit, offset } = toLimitOffset(query)
  const from = db
    .select({ row: contractEvents, pointId: sql<string | null>`p.id`, label: sql<string | null>`p.label` })
    .from(contractEvents)
    .leftJoinLateral(buildPointQuery(actor), sql`true`)
    .where(where)
  const rows = await from
    .orderBy(buildOrderBy(query.sort, SORT_COLUMNS, '-on'), asc(contractEvents.id))
    .limit(limit)
    .offset(offset)
  const [all] = await db
    .select({ n: count() })
    .from(contractEvents)
    .leftJoinLateral(buildPointQuery(actor), sql`true`)
    .where(where)
  return { items: rows.map(toContractEvent), total: all?.n ?? 0 }
}

type ContractEventRow = { row: typeof contractEvents.$inferSelect; pointId: string | null; label: string | null }
const toContractEvent = ({ row, pointId, label }: ContractEventRow): ContractEvent => ({
  id: row.id,
  prm: row.prm,
  pointId,
  label: label ?? '',
  event: row.event,
  on: row.on,
  collective: row.collective,
  meaning: describeContractEvent(row.event),
})
