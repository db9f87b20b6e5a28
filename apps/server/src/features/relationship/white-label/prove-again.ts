import { and, eq, isNotNull } from 'drizzle-orm'
import { recordEvent } from '../../../core/events.ts'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import { brandHosts, companies } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { formatFrenchDay } from '../../../french.ts'
import { toParisDay } from '../../../today.ts'
import { notify } from '../../people/notifications/notifications.ts'
import { buildVerificationRecord, computeProofUpdate, getTrustedUntil } from '../../people/sso/sso.ts'
import { getBrandRecordName } from './hosts.ts'

type Row = typeof brandHosts.$inferSelect

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
