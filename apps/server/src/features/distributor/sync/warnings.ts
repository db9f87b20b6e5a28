import { daysBetween } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { frenchDay, plural } from '../../../french.ts'
import { notify } from '../../people/notifications/notifications.ts'

/** Days before the end. */
const WARNINGS = [7, 30, 60]
const [, , FIRST = 60] = WARNINGS
const NBSP = '\u00a0'

type Ending = { key: string; name: string; prm: string; on: string }

/** Of each participant in an operation that runs: the consent that holds, and the access at the distributor. */
async function endings(tx: Db, companyId: number, today: string): Promise<Ending[]> {
  const soon = sql`between ${today}::date and ${today}::date + ${FIRST}::int`
  const { rows } = await tx.execute<Ending>(sql`
    with running as (
      select p.participant_id, p.point_id from participations p
        join operations o on o.company_id = p.company_id and o.id = p.operation_id and o.status = 'active'
       where p.company_id = ${companyId} and (p.ends_on is null or p.ends_on > ${today})),
    held as (
      select distinct on (participant_id) * from consents
       where company_id = ${companyId} and purpose = 'collection' order by participant_id, given_at desc, created_at desc)
    select 'consent ' || c.id as key, n.name, '' as prm, c.expires_on::text as on
      from held c join participants n on n.company_id = c.company_id and n.id = c.participant_id
     where c.withdrawn_at is null and c.expires_on ${soon}
       and exists (select 1 from running r where r.participant_id = n.id)
    union
    select 'access ' || l.point_id || ' ' || l.access_until, n.name, q.prm, l.access_until::text
      from point_links l join running r on r.point_id = l.point_id
      join points q on q.company_id = l.company_id and q.id = l.point_id
      join participants n on n.company_id = l.company_id and n.id = r.participant_id
     where l.company_id = ${companyId} and l.blocked_at is null and l.access_until ${soon}
    order by 4, 2`)
  return rows
}

/** Each end is told at sixty, thirty and seven days, once each. */
export async function warnExpiries(tx: Db, deps: Deps, companyId: number, today: string): Promise<void> {
  const found = (await endings(tx, companyId, today)).map((ending) => {
    const left = daysBetween(today, ending.on)
    return { ...ending, left, key: `expiry ${ending.key} ${WARNINGS.find((days) => left <= days)}` }
  })
  const told = await toldOf(
    tx,
    companyId,
    found.map(({ key }) => key),
  )
  for (const { key, name, prm, on, left } of found) {
    if (told.has(key)) continue
    const when = left === 0 ? 'aujourd’hui' : `dans ${plural(left, 'jour', 'jours')}, le ${frenchDay(on)}`
    const what = prm
      ? `L’accès aux données du point ${prm} (${name})`
      : `L’accord de ${name} pour la collecte de ses mesures`
    await notify(tx, deps, {
      companyId,
      to: 'admins',
      category: 'distributor',
      key,
      ...(left <= 7 ? { type: 'error', priority: 'high' } : { type: 'warning', priority: 'normal' }),
      title: prm ? `Accès Enedis bientôt terminé${NBSP}: ${name}` : `Accord bientôt terminé${NBSP}: ${name}`,
      message: `${what} se termine ${when}.\nÀ faire${NBSP}: demandez au participant de le renouveler avant cette date, sinon ses données n’arriveront plus.`,
      action: { label: 'Voir les participants', url: '/participants' },
    })
  }
}

async function toldOf(tx: Db, companyId: number, keys: string[]): Promise<Set<string>> {
  if (!keys.length) return new Set()
  const { rows } = await tx.execute<{ key: string }>(sql`
    select distinct event_key as key from notifications
     where company_id = ${companyId} and event_key = any(${sql.param(keys)}::text[])`)
  return new Set(rows.map(({ key }) => key))
}
