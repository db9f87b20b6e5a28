import { isNotNull, sql } from 'drizzle-orm'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import { ssoConnections } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { formatCount, formatFrenchDay } from '../../../french.ts'
import { getToday } from '../../../today.ts'
import { notify } from '../notifications/notifications.ts'
import { toCertificateView } from './certificates.ts'
import { quoteConnectionName } from './faults.ts'
import type { SsoConnectionRow } from './scope.ts'

/** Days before it lapses on which people are told; on the day itself and after, it is on the screen and in the journal. */
const ALERT_DAYS = [1, 7, 30]

type ExpiringItem = { what: 'certificate' | 'secret'; on: string }

/** What will stop the connection: the last of its certificates, or its secret. One that another replaces stops nothing. */
export function getExpiringItem({ kind, certificates, secretExpiresOn }: SsoConnectionRow): ExpiringItem | undefined {
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
