import type { BrandDomain } from '@voisol/contract/white-label'
import { and, eq, isNotNull, ne } from 'drizzle-orm'
import type { Outside } from '../../../adapters/post/outside.ts'
import type { Config } from '../../../config.ts'
import { brandLinksStartAt } from '../../../core/brand-hosts.ts'
import { record } from '../../../core/events.ts'
import { publicHome } from '../../../core/public-url.ts'
import type { Db } from '../../../db/client.ts'
import { isRefusal } from '../../../db/refusal.ts'
import { brandHosts } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { frenchTime } from '../../../french.ts'
import { type Actor, nameOfActor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { throttle } from '../../../http/throttle.ts'
import { newToken } from '../../../secrets.ts'
import { getCompany, lockCompany } from '../../people/companies/companies.ts'
import { notify } from '../../people/notifications/notifications.ts'
import { believedUntil, recordOf } from '../../people/sso/sso.ts'

type Row = typeof brandHosts.$inferSelect
type Place = Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT' | 'SUPPORT_MAIL_HOST' | 'BRAND_LINK_DELAY_HOURS'>

/** Under its own name, because a host that is an alias of another may bear no other record. */
export const recordNameOf = (host: string) => `_voisol.${host}`
const TAKEN = 'Ce domaine est déjà prouvé par une autre organisation de cette installation. Écrivez à l’assistance.'
const INNER = /(?:^|\.)(?:localhost|local|internal|invalid|lan|home|arpa|onion)$/
const PROOFS_AN_HOUR = 30

const within = (host: string, other: string) => host === other || host.endsWith(`.${other}`)

/** The installation's own names, what is under them, and names that lead to the machine itself. */
function isReserved(host: string, config: Place): boolean {
  const own = [new URL(publicHome(config)).hostname, config.SUPPORT_MAIL_HOST ?? ''].filter(Boolean)
  return INNER.test(host) || own.some((name) => within(host, name) || within(name, host))
}

async function requireFree(tx: Db, companyId: number, host: string) {
  const [taken] = await tx
    .select({ companyId: brandHosts.companyId })
    .from(brandHosts)
    .where(and(eq(brandHosts.host, host), isNotNull(brandHosts.provedAt), ne(brandHosts.companyId, companyId)))
  if (taken) throw fieldError('customDomain', TAKEN, 'conflict')
}

/** Another host begins unproved; the same one stays as it is; none ends it. */
export async function setHost(tx: Db, config: Place, companyId: number, host: string): Promise<void> {
  const [row] = await tx.select().from(brandHosts).where(eq(brandHosts.companyId, companyId)).for('update')
  if (row?.host === host) return
  if (host && isReserved(host, config))
    throw fieldError('customDomain', 'Ce nom est réservé\u00a0: choisissez un domaine qui est le vôtre.')
  if (host) await requireFree(tx, companyId, host)
  await tx.delete(brandHosts).where(eq(brandHosts.companyId, companyId))
  if (host) await tx.insert(brandHosts).values({ companyId, host, token: newToken() })
}

function toDomain(row: Row | undefined, config: Place): BrandDomain {
  const { host = '', token = '', provedAt = null, lapsedAt = null } = row ?? {}
  return {
    host,
    recordName: host && recordNameOf(host),
    record: token && recordOf(token),
    target: new URL(publicHome(config)).hostname,
    provedAt: provedAt?.toISOString() ?? null,
    linksFrom: provedAt && brandLinksStartAt(provedAt, config).toISOString(),
    lapsedAt: lapsedAt?.toISOString() ?? null,
    believedUntil: provedAt && lapsedAt ? believedUntil(lapsedAt).toISOString() : null,
  }
}

async function rowOf(db: Db, companyId: number): Promise<Row | undefined> {
  const [row] = await db.select().from(brandHosts).where(eq(brandHosts.companyId, companyId))
  return row
}

export async function domainOf(db: Db, config: Place, actor: Actor, companyId: number): Promise<BrandDomain> {
  await getCompany(db, actor, companyId)
  return toDomain(await rowOf(db, companyId), config)
}

async function requireRecord(outside: Outside, { host, token }: Row) {
  const name = recordNameOf(host)
  const texts = await outside.txt(name).catch(() => {
    throw fieldError(
      'customDomain',
      `Les serveurs de noms de ${host} ne répondent pas\u00a0: réessayez dans quelques minutes.`,
    )
  })
  if (!texts.some((text) => text.trim() === recordOf(token)))
    throw fieldError(
      'customDomain',
      `L’enregistrement TXT de ${name} ne contient pas encore «\u00a0${recordOf(token)}\u00a0». Ajoutez-le chez votre hébergeur de noms, puis vérifiez à nouveau\u00a0: il met parfois une heure à paraître.`,
    )
}

type Proved = { companyId: number; host: string; provedAt: Date }

/** In the same transaction as the proof: no link leads to the host unless every administrator was told. */
async function announceLinks(
  tx: Db,
  deps: Pick<Deps, 'config' | 'secrets'>,
  actor: Actor,
  { companyId, host, provedAt }: Proved,
) {
  const from = frenchTime(Math.floor(brandLinksStartAt(provedAt, deps.config).getTime() / 60_000))
  await notify(tx, deps, {
    companyId,
    to: { permission: 'companies.write' },
    category: 'security',
    type: 'warning',
    priority: 'high',
    title: `Les liens de vos messages mèneront bientôt à ${host}`,
    message: `${nameOfActor(actor)} a validé le domaine ${host} pour votre organisation. À partir du ${from} (heure de Paris), les liens des messages qu’elle envoie, comme les invitations et les nouveaux mots de passe, mèneront à cette adresse. Si ce n’est pas voulu, retirez ce domaine de la marque blanche avant ce moment, puis vérifiez qui administre votre organisation.`,
    action: { label: 'Ouvrir la marque blanche', url: '/white-label' },
    key: `brand host ${host} proved ${provedAt.toISOString()}`,
  })
}

/** Whoever can write the records of a host has it. Proved for one company, it is refused to every other. */
export async function proveHost(
  tx: Db,
  deps: Pick<Deps, 'db' | 'outside' | 'config' | 'secrets'>,
  actor: Actor,
  companyId: number,
) {
  await lockCompany(tx, actor, companyId)
  await throttle(deps.db, `brand proof of ${companyId}`, PROOFS_AN_HOUR, 3600)
  const row = await rowOf(tx, companyId)
  if (!row) throw new AppError('conflict', { message: 'Choisissez d’abord un domaine.' })
  if (row.provedAt && !row.lapsedAt) return toDomain(row, deps.config)
  await requireRecord(deps.outside, row)
  await requireFree(tx, companyId, row.host)
  const now = new Date()
  const [proved] = await tx
    .update(brandHosts)
    .set({ provedAt: row.provedAt ?? now, checkedAt: now, lapsedAt: null })
    .where(and(eq(brandHosts.companyId, companyId), eq(brandHosts.host, row.host)))
    .returning()
    .catch((error: unknown) => {
      // Two at the same moment: the index lets one have it.
      throw isRefusal(error, 'twin') ? fieldError('customDomain', TAKEN, 'conflict') : error
    })
  const data = { host: row.host }
  await record(tx, { companyId, name: 'brand.domain-proved', object: String(companyId), data })
  if (!row.provedAt) await announceLinks(tx, deps, actor, { companyId, host: row.host, provedAt: now })
  return toDomain(proved, deps.config)
}
