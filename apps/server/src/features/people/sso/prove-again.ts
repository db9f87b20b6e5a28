import { and, eq, isNotNull } from 'drizzle-orm'
import { recordEvent } from '../../../core/events.ts'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import { companies, ssoDomains } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { formatFrenchDay } from '../../../french.ts'
import { toParisDay } from '../../../today.ts'
import { notify } from '../notifications/notifications.ts'
import { buildVerificationRecord, computeProofUpdate, getTrustedUntil } from './domains.ts'

type Row = typeof ssoDomains.$inferSelect

const isDomainRow = ({ companyId, domain }: Row) =>
  and(eq(ssoDomains.companyId, companyId), eq(ssoDomains.domain, domain))

const REMEDY = 'Remettez l’enregistrement TXT chez l’hébergeur de vos noms'

/** Told when it is first missed, and when it is believed no more. */
async function notifyDomainLapse(tx: Db, deps: Deps, row: Row, lapsedAt: Date, state: 'missing' | 'refused') {
  const { companyId, connectionId, domain, token } = row
  const until = toParisDay(getTrustedUntil(lapsedAt))
  const refused = state === 'refused'
  await notify(tx, deps, {
    companyId,
    to: { permission: 'sso.write' },
    category: 'security',
    type: refused ? 'error' : 'warning',
    priority: 'critical',
    title: refused ? `${domain} n’est plus prouvé` : `La preuve de ${domain} a disparu du DNS`,
    message: refused
      ? `Plus personne de ce domaine n’entre par la connexion d’entreprise. ${REMEDY} («\u00a0${buildVerificationRecord(token)}\u00a0»), puis vérifiez le domaine.`
      : `Sans elle, plus personne de ce domaine n’entrera par la connexion d’entreprise à partir du ${formatFrenchDay(until)}. ${REMEDY}\u00a0: «\u00a0${buildVerificationRecord(token)}\u00a0».`,
    action: { label: 'Ouvrir la connexion unique', url: '/admin/sso' },
    key: `sso domain ${domain} ${lapsedAt.toISOString()} ${state}`,
  })
  const by = { job: 'sso.prove', secrets: deps.secrets }
  const data = { connectionId, domain, state, believedUntil: until }
  await recordEvent(tx, { companyId, name: 'sso.domain-lapsed', object: connectionId, data, by })
}

async function storeProofUpdate(tx: Db, deps: Deps, row: Row, there: boolean, now: Date) {
  const { values, told } = computeProofUpdate(row, there, now)
  await tx
    .update(ssoDomains)
    .set({ checkedAt: now, ...values })
    .where(isDomainRow(row))
  if (told) await notifyDomainLapse(tx, deps, row, told.lapsedAt, told.state)
}

/** Each night every proved domain is asked for its record again: a domain that was sold lets nobody in. */
export async function recheckDomains(deps: Deps): Promise<void> {
  // The domains of a demonstration stand in no DNS.
  const rows = await deps.db
    .select({ companyId: ssoDomains.companyId, domain: ssoDomains.domain })
    .from(ssoDomains)
    .innerJoin(companies, eq(companies.id, ssoDomains.companyId))
    .where(and(isNotNull(ssoDomains.provedAt), eq(companies.isDemo, false)))
  for (const { companyId, domain } of rows) {
    let texts: string[]
    try {
      texts = await deps.outside.txt(domain)
    } catch (err) {
      // Name servers that do not answer say nothing about the record.
      deps.log.warn({ err, domain }, 'the name servers do not answer')
      continue
    }
    await transaction(scopeToCompany(deps.db, companyId), async (tx) => {
      const where = and(eq(ssoDomains.companyId, companyId), eq(ssoDomains.domain, domain))
      const [row] = await tx.select().from(ssoDomains).where(where).for('update')
      if (!row?.provedAt) return
      await storeProofUpdate(
        tx,
        deps,
        row,
        texts.some((text) => text.trim() === buildVerificationRecord(row.token)),
        new Date(),
      )
    })
  }
}
