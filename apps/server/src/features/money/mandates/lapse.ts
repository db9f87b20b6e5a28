import { and, eq, isNull } from 'drizzle-orm'
import { scopeToCompany, transaction } from '../../../db/client.ts'
import { mandates, participants } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { formatLongDay } from '../../../papers/words.ts'
import { getToday } from '../../../today.ts'
import { notify } from '../../people/notifications/notifications.ts'
import { loadSettingsOn } from '../settings/settings.ts'
import { recordLapseApproached, recordMandatesStopped } from './tell.ts'
import { computeLapseDay, type MandateRow } from './view.ts'
import { stopMandates } from './write.ts'

/** How many days before a mandate lapses people are notified. */
const LAPSE_NOTICE_DAYS = 60

async function notifyLapse(deps: Deps, row: MandateRow & { participant: string }, lapsesOn: string) {
  await transaction(scopeToCompany(deps.db, row.companyId), async (tx) => {
    const [updated] = await tx
      .update(mandates)
      .set({ lapseToldOn: getToday() })
      .where(and(eq(mandates.companyId, row.companyId), eq(mandates.id, row.id), isNull(mandates.lapseToldOn)))
      .returning({ id: mandates.id })
    if (!updated) return
    await notify(tx, deps, {
      companyId: row.companyId,
      to: { permission: 'mandates.write' },
      category: 'billing',
      type: 'warning',
      priority: 'normal',
      title: `Le mandat ${row.rum} va devenir caduc`,
      message: `Sans prélèvement d’ici au ${formatLongDay(lapsesOn)}, ${row.participant} devra signer un nouveau mandat.`,
      action: { label: 'Voir les mandats', url: '/billing?tab=prelevements' },
      key: `mandate-lapse ${row.id} ${lapsesOn}`,
    })
    await recordLapseApproached(tx, deps.secrets, row.companyId, row, lapsesOn)
  })
}

/** Runs each night: ends mandates unused for too long, and announces those that soon will be. */
export async function lapseMandates(deps: Deps) {
  const rows = await deps.db
    .select({ row: mandates, participant: participants.name })
    .from(mandates)
    .innerJoin(
      participants,
      and(eq(participants.companyId, mandates.companyId), eq(participants.id, mandates.participantId)),
    )
    .where(eq(mandates.status, 'active'))
  const day = getToday()
  const soon = Temporal.PlainDate.from(day).add({ days: LAPSE_NOTICE_DAYS }).toString()
  for (const [companyId, own] of Map.groupBy(rows, ({ row }) => row.companyId)) {
    const months = (await loadSettingsOn(deps.db, companyId, day))['mandate.lapseMonths'].value
    for (const { row, participant } of own) {
      const lapsesOn = computeLapseDay(row, months)
      const reason = `Aucun prélèvement depuis ${months} mois.`
      if (lapsesOn <= day)
        await transaction(scopeToCompany(deps.db, companyId), async (tx) =>
          recordMandatesStopped(
            tx,
            companyId,
            await stopMandates(tx, companyId, eq(mandates.id, row.id), { status: 'lapsed', reason }),
          ),
        )
      else if (lapsesOn <= soon && row.lapseToldOn === null) await notifyLapse(deps, { ...row, participant }, lapsesOn)
    }
  }
}
