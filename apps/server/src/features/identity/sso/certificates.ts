import { X509Certificate } from 'node:crypto'
import type { SsoCertificate } from '@voisol/contract/sso'
import { formatCount, formatFrenchDay } from '@voisol/file-formats/french'
import { isNotNull, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import { ssoConnections } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { fieldError } from '../../../http/errors.ts'
import { getToday, toParisDay } from '../../../today.ts'
import { notify } from '../notifications/index.ts'
import { quoteConnectionName, type SsoConnectionRow } from './sso-connection.ts'

type CertificateView = z.infer<typeof SsoCertificate>

const CERTIFICATE_BLOCK = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g
const MIN_KEY_BITS = 2048
const MAX_CERTIFICATES = 5

const toPem = (base64: string) => `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----`
/** Metadata hold certificates without their first and last line. */
const splitCertificates = (text: string) =>
  text.includes('-----BEGIN') ? (text.match(CERTIFICATE_BLOCK) ?? []) : [toPem(text.trim())]

function parseCertificate(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch {
    throw fieldError(
      'certificates',
      'Ce certificat n’est pas lisible\u00a0: collez-le en entier, de «\u00a0-----BEGIN CERTIFICATE-----\u00a0» à «\u00a0-----END CERTIFICATE-----\u00a0».',
    )
  }
}

/** The certificates of a text, each as it will be kept. One that has lapsed, or is too weak to prove anything, is refused. */
export function parseCertificates(text: string): string[] {
  if (!text.trim()) return []
  const read = splitCertificates(text).map(parseCertificate)
  if (!read.length || read.length > MAX_CERTIFICATES)
    throw fieldError('certificates', `De un à ${MAX_CERTIFICATES} certificats sont attendus, l’un après l’autre.`)
  for (const one of read) requireStrongCertificate(one)
  return read.map((one) => one.toString())
}

function requireStrongCertificate(one: X509Certificate) {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = one.publicKey
  if (type !== 'rsa' || (details?.modulusLength ?? 0) < MIN_KEY_BITS)
    throw fieldError('certificates', `Une clé RSA d’au moins ${MIN_KEY_BITS} bits est attendue dans le certificat.`)
  if (isExpired(one))
    throw fieldError(
      'certificates',
      `Ce certificat a expiré le ${formatFrenchDay(toParisDay(one.validToDate))}\u00a0: demandez le nouveau au fournisseur d’identité.`,
    )
}

const isExpired = (one: X509Certificate) => one.validToDate.getTime() <= Date.now()
/** Those of the kept ones that still prove something. */
export const filterValidCertificates = (kept: readonly string[]) =>
  kept.filter((pem) => !isExpired(new X509Certificate(pem)))

export const toCertificateView = (pem: string): CertificateView => {
  const one = new X509Certificate(pem)
  return {
    subject: one.subject.replaceAll('\n', ', ') || 'sans nom',
    expiresOn: toParisDay(one.validToDate),
    fingerprint: one.fingerprint256,
  }
}

/** Days before it lapses on which people are told; on the day itself and after, it is on the screen and in the journal. */
const ALERT_DAYS = [1, 7, 30]

type ExpiringItem = { what: 'certificate' | 'secret'; on: string }

/** What will stop the connection: the last of its certificates, or its secret. One that another replaces stops nothing. */
function getExpiringItem({ kind, certificates, secretExpiresOn }: SsoConnectionRow): ExpiringItem | undefined {
  if (kind === 'oidc') return secretExpiresOn ? { what: 'secret', on: secretExpiresOn } : undefined
  const on = certificates
    .map((pem) => toCertificateView(pem).expiresOn)
    .sort()
    .at(-1)
  return on ? { what: 'certificate', on } : undefined
}

const daysUntil = (day: string) => Temporal.PlainDate.from(getToday()).until(day, { largestUnit: 'days' }).days

/** The nearest of the steps that has been reached. */
export const getReachedAlertDays = (days: number) => (days < 0 ? undefined : ALERT_DAYS.find((step) => days <= step))

const ITEM_MESSAGES = {
  certificate: [
    'Le certificat de signature',
    'Demandez le nouveau au fournisseur d’identité et ajoutez-le à côté de l’ancien',
  ],
  secret: ['Le secret client', 'Créez-en un nouveau chez le fournisseur d’identité et enregistrez-le'],
} as const

async function notifyExpiry(
  tx: Db,
  deps: Deps,
  row: SsoConnectionRow,
  { what, on }: ExpiringItem,
  days: number,
  step: number,
) {
  const [subject, remedy] = ITEM_MESSAGES[what]
  await notify(tx, deps, {
    companyId: row.companyId,
    to: { permission: 'sso.write' },
    category: 'security',
    type: 'warning',
    priority: step === 30 ? 'high' : 'critical',
    title: `${subject} de ${quoteConnectionName(row)} expire dans ${formatCount(days, 'jour', 'jours')}`,
    message: `Après le ${formatFrenchDay(on)}, plus personne n’entre par cette connexion. ${remedy} dans ses réglages.`,
    action: { label: 'Ouvrir la connexion unique', url: '/admin/sso' },
    key: `sso ${what} ${row.id} ${on} ${step}`,
  })
}

/** Each morning: what is about to lapse is told thirty, seven and one day before, and what has served is removed. */
export async function notifyExpiringConnections(deps: Deps): Promise<void> {
  const rows = await deps.db.select().from(ssoConnections).where(isNotNull(ssoConnections.activatedAt))
  for (const row of rows) {
    const lapsing = getExpiringItem(row)
    const days = lapsing && daysUntil(lapsing.on)
    const step = days === undefined ? undefined : getReachedAlertDays(days)
    if (lapsing && days !== undefined && step !== undefined)
      await transaction(scopeToCompany(deps.db, row.companyId), (tx) =>
        notifyExpiry(tx, deps, row, lapsing, days, step),
      )
  }
  await deps.db.execute(sql`delete from sso_attempts where expires_at < now() - interval '1 day'`)
}
