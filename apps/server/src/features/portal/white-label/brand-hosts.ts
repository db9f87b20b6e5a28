import type { BrandDomain } from '@voisol/contract/white-label'
import { formatFrenchDay, formatFrenchTime } from '@voisol/file-formats/french'
import { and, eq, isNotNull, ne } from 'drizzle-orm'
import type { Config } from '../../../config.ts'
import { getBrandLinksStart } from '../../../core/mail-brand.ts'
import { getPublicBaseUrl } from '../../../core/public-links.ts'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import { isDatabaseRefusal } from '../../../db/database-errors.ts'
import { brandHosts, companies } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { recordEvent } from '../../../events/events.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { throttle } from '../../../http/throttle.ts'
import type { OutboundClient } from '../../../integrations/post/outbound-client.ts'
import { generateToken } from '../../../secrets.ts'
import { toParisDay } from '../../../today.ts'
import { loadCompany, lockActorCompany } from '../../identity/companies/index.ts'
import { notify } from '../../identity/notifications/index.ts'
import { buildVerificationRecord, computeProofUpdate, getTrustedUntil } from '../../identity/sso/index.ts'

type Row = typeof brandHosts.$inferSelect
type HostConfig = Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT' | 'SUPPORT_MAIL_HOST' | 'BRAND_LINK_DELAY_HOURS'>

/** Under its own name, because a host that is an alias of another may bear no other record. */
const getBrandRecordName = (host: string) => `_voisol.${host}`
const HOST_TAKEN_MESSAGE =
  'Ce domaine est déjà prouvé par une autre organisation de cette installation. Écrivez à l’assistance.'
const INTERNAL_HOST_PATTERN = /(?:^|\.)(?:localhost|local|internal|invalid|lan|home|arpa|onion)$/
const MAX_PROOFS_PER_HOUR = 30

const isSameOrSubdomain = (host: string, other: string) => host === other || host.endsWith(`.${other}`)

/** The installation's own names, what is under them, and names that lead to the machine itself. */
function isReserved(host: string, config: HostConfig): boolean {
  const own = [new URL(getPublicBaseUrl(config)).hostname, config.SUPPORT_MAIL_HOST ?? ''].filter(Boolean)
  return (
    INTERNAL_HOST_PATTERN.test(host) ||
    own.some((name) => isSameOrSubdomain(host, name) || isSameOrSubdomain(name, host))
  )
}

async function requireFreeHost(tx: Db, companyId: number, host: string) {
  const [taken] = await tx
    .select({ companyId: brandHosts.companyId })
    .from(brandHosts)
    .where(and(eq(brandHosts.host, host), isNotNull(brandHosts.provedAt), ne(brandHosts.companyId, companyId)))
  if (taken) throw fieldError('customDomain', HOST_TAKEN_MESSAGE, 'conflict')
}

/** Another host begins unproved; the same one stays as it is; none ends it. */
export async function setBrandHost(tx: Db, config: HostConfig, companyId: number, host: string): Promise<void> {
  const [row] = await tx.select().from(brandHosts).where(eq(brandHosts.companyId, companyId)).for('update')
  if (row?.host === host) return
  if (host && isReserved(host, config))
    throw fieldError('customDomain', 'Ce nom est réservé\u00a0: choisissez un domaine qui est le vôtre.')
  if (host) await requireFreeHost(tx, companyId, host)
  await tx.delete(brandHosts).where(eq(brandHosts.companyId, companyId))
  if (host) await tx.insert(brandHosts).values({ companyId, host, token: generateToken() })
}

function toDomain(row: Row | undefined, config: HostConfig): BrandDomain {
  const { host = '', token = '', provedAt = null, lapsedAt = null } = row ?? {}
  return {
    host,
    recordName: host && getBrandRecordName(host),
    record: token && buildVerificationRecord(token),
    target: new URL(getPublicBaseUrl(config)).hostname,
    provedAt: provedAt?.toISOString() ?? null,
    linksFrom: provedAt && getBrandLinksStart(provedAt, config).toISOString(),
    lapsedAt: lapsedAt?.toISOString() ?? null,
    believedUntil: provedAt && lapsedAt ? getTrustedUntil(lapsedAt).toISOString() : null,
  }
}

async function findHostRow(db: Db, companyId: number): Promise<Row | undefined> {
  const [row] = await db.select().from(brandHosts).where(eq(brandHosts.companyId, companyId))
  return row
}

export async function loadBrandDomain(
  db: Db,
  config: HostConfig,
  actor: Actor,
  companyId: number,
): Promise<BrandDomain> {
  await loadCompany(db, actor, companyId)
  return toDomain(await findHostRow(db, companyId), config)
}

async function requireDnsRecord(outside: OutboundClient, { host, token }: Row) {
  const name = getBrandRecordName(host)
  const texts = await outside.txt(name).catch(() => {
    throw fieldError(
      'customDomain',
      `Les serveurs de noms de ${host} ne répondent pas\u00a0: réessayez dans quelques minutes.`,
    )
  })
  if (!texts.some((text) => text.trim() === buildVerificationRecord(token)))
    throw fieldError(
      'customDomain',
      `L’enregistrement TXT de ${name} ne contient pas encore «\u00a0${buildVerificationRecord(token)}\u00a0». Ajoutez-le chez votre hébergeur de noms, puis vérifiez à nouveau\u00a0: il met parfois une heure à paraître.`,
    )
}

type ProvedHost = { companyId: number; host: string; provedAt: Date }

/** In the same transaction as the proof: no link leads to the host unless every administrator was told. */
async function announceLinks(
  tx: Db,
  deps: Pick<Deps, 'config' | 'secrets'>,
  actor: Actor,
  { companyId, host, provedAt }: ProvedHost,
) {
  const from = formatFrenchTime(Math.floor(getBrandLinksStart(provedAt, deps.config).getTime() / 60_000))
  await notify(tx, deps, {
    companyId,
    to: { permission: 'companies.write' },
    category: 'security',
    type: 'warning',
    priority: 'high',
    title: `Les liens de vos messages mèneront bientôt à ${host}`,
    message: `${formatActorName(actor)} a validé le domaine ${host} pour votre organisation. À partir du ${from} (heure de Paris), les liens des messages qu’elle envoie, comme les invitations et les nouveaux mots de passe, mèneront à cette adresse. Si ce n’est pas voulu, retirez ce domaine de la marque blanche avant ce moment, puis vérifiez qui administre votre organisation.`,
    action: { label: 'Ouvrir la marque blanche', url: '/white-label' },
    key: `brand host ${host} proved ${provedAt.toISOString()}`,
  })
}

/** Whoever can write the records of a host has it. Proved for one company, it is refused to every other. */
export async function proveBrandHost(
  tx: Db,
  deps: Pick<Deps, 'db' | 'outside' | 'config' | 'secrets'>,
  actor: Actor,
  companyId: number,
) {
  await lockActorCompany(tx, actor, companyId)
  await throttle(deps.db, `brand proof of ${companyId}`, MAX_PROOFS_PER_HOUR, 3600)
  const row = await findHostRow(tx, companyId)
  if (!row) throw new AppError('conflict', { message: 'Choisissez d’abord un domaine.' })
  if (row.provedAt && !row.lapsedAt) return toDomain(row, deps.config)
  await requireDnsRecord(deps.outside, row)
  await requireFreeHost(tx, companyId, row.host)
  const now = new Date()
  const [proved] = await tx
    .update(brandHosts)
    .set({ provedAt: row.provedAt ?? now, checkedAt: now, lapsedAt: null })
    .where(and(eq(brandHosts.companyId, companyId), eq(brandHosts.host, row.host)))
    .returning()
    .catch((error: unknown) => {
      // Two at the same moment: the index lets one have it.
      throw isDatabaseRefusal(error, 'twin') ? fieldError('customDomain', HOST_TAKEN_MESSAGE, 'conflict') : error
    })
  const data = { host: row.host }
  await recordEvent(tx, { companyId, name: 'brand.domain-proved', object: String(companyId), data })
  if (!row.provedAt) await announceLinks(tx, deps, actor, { companyId, host: row.host, provedAt: now })
  return toDomain(proved, deps.config)
}

/** Told when the record is first missed, and when the host is believed no more. */
async function notifyHostLapse(
  tx: Db,
  deps: Deps,
  { companyId, host, token }: Row,
  lapsedAt: Date,
  state: 'missing' | 'refused',
) {
  const remedy = `Remettez l’enregistrement TXT de ${getBrandRecordName(host)} («\u00a0${buildVerificationRecord(token)}\u00a0»), puis vérifiez le domaine.`
  const until = formatFrenchDay(toParisDay(getTrustedUntil(lapsedAt)))
  await notify(tx, deps, {
    companyId,
    to: { permission: 'companies.write' },
    category: 'security',
    type: state === 'refused' ? 'error' : 'warning',
    priority: 'high',
    title: state === 'refused' ? `${host} n’est plus prouvé` : `La preuve de ${host} a disparu du DNS`,
    message:
      state === 'refused'
        ? `Votre marque ne s’affiche plus à cette adresse, et les messages mènent à celle de l’installation. ${remedy}`
        : `Sans elle, votre marque ne s’affichera plus à cette adresse à partir du ${until}. ${remedy}`,
    action: { label: 'Ouvrir la marque blanche', url: '/white-label' },
    key: `brand host ${host} ${lapsedAt.toISOString()} ${state}`,
  })
  const by = { job: 'brand.prove', secrets: deps.secrets }
  await recordEvent(tx, {
    companyId,
    name: 'brand.domain-lapsed',
    object: String(companyId),
    data: { host, state },
    by,
  })
}

async function storeProofUpdate(tx: Db, deps: Deps, row: Row, there: boolean, now: Date) {
  const { values, told } = computeProofUpdate(row, there, now)
  await tx
    .update(brandHosts)
    .set({ checkedAt: now, ...values })
    .where(eq(brandHosts.companyId, row.companyId))
  if (told) await notifyHostLapse(tx, deps, row, told.lapsedAt, told.state)
}

/** Each night every proved host is asked for its record again: a name that was sold shows nobody's brand. */
export async function recheckBrandHosts(deps: Deps): Promise<void> {
  // The hosts of a demonstration stand in no DNS.
  const rows = await deps.db
    .select({ companyId: brandHosts.companyId, host: brandHosts.host })
    .from(brandHosts)
    .innerJoin(companies, eq(companies.id, brandHosts.companyId))
    .where(and(isNotNull(brandHosts.provedAt), eq(companies.isDemo, false)))
  for (const { companyId, host } of rows) {
    let texts: string[]
    try {
      texts = await deps.outside.txt(getBrandRecordName(host))
    } catch (err) {
      // Name servers that do not answer say nothing about the record.
      deps.log.warn({ err, host }, 'the name servers do not answer')
      continue
    }
    await transaction(scopeToCompany(deps.db, companyId), async (tx) => {
      const [row] = await tx.select().from(brandHosts).where(eq(brandHosts.companyId, companyId)).for('update')
      if (!row?.provedAt || row.host !== host) return
      const there = texts.some((text) => text.trim() === buildVerificationRecord(row.token))
      await storeProofUpdate(tx, deps, row, there, new Date())
    })
  }
}
