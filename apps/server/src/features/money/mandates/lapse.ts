import { and, eq, isNull } from 'drizzle-orm'
import { forCompany, transaction } from '../../../db/client.ts'
import { mandates, participants } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { longDay } from '../../../papers/words.ts'
import { today } from '../../../today.ts'
import { notify } from '../../people/notifications/notifications.ts'
import { settingsOn } from '../settings/settings.ts'
import { tellLapse, tellStopped } from './tell.ts'
import { lapseOf, type MandateRow } from './view.ts'
import { stopMandates } from './write.ts'

/** How long before it lapses people are told. */
const TOLD_DAYS = 60

async function tell(deps: Deps, row: MandateRow & { participant: string }, lapsesOn: string) {
  await transaction(forCompany(deps.db, row.companyId), async (tx) => {
    const [told] = await tx
      .update(mandates)
      .set({ lapseToldOn: today() })
      .where(and(eq(mandates.companyId, row.companyId), eq(mandates.id, row.id), isNull(mandates.lapseToldOn)))
      .returning({ id: mandates.id })
    if (!told) return
    await notify(tx, deps, {
      companyId: row.companyId,
      to: { permission: 'mandates.write' },
      category: 'billing',
      type: 'warning',
      priority: 'normal',
      title: `Le mandat ${row.rum} va devenir caduc`,
      message: `Sans prélèvement d’ici au ${longDay(lapsesOn)}, ${row.participant} devra signer un nouveau mandat.`,
      action: { label: 'Voir les mandats', url: '/billing?tab=prelevements' },
      key: `mandate-lapse ${row.id} ${lapsesOn}`,
    })
    await tellLapse(tx, deps.secrets, row.companyId, row, lapsesOn)
  })
}

/** Each night: mandates that nothing was debited under for too long end, and those that soon will are told of. */
export async function lapseMandates(deps: Deps) {
  const rows = await deps.db
    .select({ row: mandates, participant: participants.name })
    .from(mandates)
    .innerJoin(
      participants,
      and(eq(participants.companyId, mandates.companyId), eq(participants.id, mandates.participantId)),
    )
    .where(eq(mandates.status, 'active'))
  const day = today()
  const soon = Temporal.PlainDate.from(day).add({ days: TOLD_DAYS }).toString()
  for (const [companyId, own] of Map.groupBy(rows, ({ row }) => row.companyId)) {
    const months = (await settingsOn(deps.db, companyId, day))['mandate.lapseMonths'].value
    for (const { row, participant } of own) {
      const lapsesOn = lapseOf(row, months)
      const reason = `Aucun prélèvement depuis ${months} mois.`
      if (lapsesOn <= day)
        await transaction(forCompany(deps.db, companyId), async (tx) =>
          tellStopped(
            tx,
            companyId,
            await stopMandates(tx, companyId, eq(mandates.id, row.id), { status: 'lapsed', reason }),
          ),
        )
      else if (lapsesOn <= soon && row.lapseToldOn === null) await tell(deps, { ...row, participant }, lapsesOn)
    }
  }
}
