import { isNotNull, sql } from 'drizzle-orm'
import { type Db, forCompany, transaction } from '../../../db/client.ts'
import { ssoConnections } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { frenchDay, plural } from '../../../french.ts'
import { today } from '../../../today.ts'
import { notify } from '../notifications/notifications.ts'
import { showCertificate } from './certificates.ts'
import { titleOf } from './faults.ts'
import type { Connection } from './scope.ts'

/** Days before it lapses on which people are told; on the day itself and after, it is on the screen and in the journal. */
const STEPS = [1, 7, 30]

type Lapsing = { what: 'certificate' | 'secret'; on: string }

/** What will stop the connection: the last of its certificates, or its secret. One that another replaces stops nothing. */
export function lapsingOf({ kind, certificates, secretExpiresOn }: Connection): Lapsing | undefined {
  if (kind === 'oidc') return secretExpiresOn ? { what: 'secret', on: secretExpiresOn } : undefined
  const on = certificates
    .map((pem) => showCertificate(pem).expiresOn)
    .sort()
    .at(-1)
  return on ? { what: 'certificate', on } : undefined
}

const daysUntil = (day: string) => Temporal.PlainDate.from(today()).until(day, { largestUnit: 'days' }).days

/** The nearest of the steps that has been reached. */
export const stepOf = (days: number) => (days < 0 ? undefined : STEPS.find((step) => days <= step))

const WORDS = {
  certificate: [
    'Le certificat de signature',
    'Demandez le nouveau au fournisseur d’identité et ajoutez-le à côté de l’ancien',
  ],
  secret: ['Le secret client', 'Créez-en un nouveau chez le fournisseur d’identité et enregistrez-le'],
} as const

async function tell(tx: Db, deps: Deps, row: Connection, { what, on }: Lapsing, days: number, step: number) {
  const [subject, remedy] = WORDS[what]
  await notify(tx, deps, {
    companyId: row.companyId,
    to: { permission: 'sso.write' },
    category: 'security',
    type: 'warning',
    priority: step === 30 ? 'high' : 'critical',
    title: `${subject} de ${titleOf(row)} expire dans ${plural(days, 'jour', 'jours')}`,
    message: `Après le ${frenchDay(on)}, plus personne n’entre par cette connexion. ${remedy} dans ses réglages.`,
    action: { label: 'Ouvrir la connexion unique', url: '/admin/sso' },
    key: `sso ${what} ${row.id} ${on} ${step}`,
  })
}

/** Each morning: what is about to lapse is told thirty, seven and one day before, and what has served is removed. */
export async function watchConnections(deps: Deps): Promise<void> {
  const rows = await deps.db.select().from(ssoConnections).where(isNotNull(ssoConnections.activatedAt))
  for (const row of rows) {
    const lapsing = lapsingOf(row)
    const days = lapsing && daysUntil(lapsing.on)
    const step = days === undefined ? undefined : stepOf(days)
    if (lapsing && days !== undefined && step !== undefined)
      await transaction(forCompany(deps.db, row.companyId), (tx) => tell(tx, deps, row, lapsing, days, step))
  }
  await deps.db.execute(sql`delete from sso_attempts where expires_at < now() - interval '1 day'`)
}
