import type { RegulatoryObligation } from '@voisol/contract/regulatory'
import { addDays } from '@voisol/money/days'
import type { Deps } from '../../../deps.ts'
import { formatFrenchDay } from '../../../french.ts'
import { getToday } from '../../../today.ts'
import { notify } from '../../people/notifications/notifications.ts'
import { loadDutyCalendar } from './calendar.ts'

const REMINDER_DAYS = 7

/** At most two reminders: before the due day, and the morning after it. Older ones are only shown on screen. */
function getReminderKind({ state, dueOn }: RegulatoryObligation, day: string): 'near' | 'late' | null {
  if (state === 'done' || state === 'later') return null
  if (dueOn >= day) return dueOn <= addDays(day, REMINDER_DAYS) ? 'near' : null
  return dueOn >= addDays(day, -REMINDER_DAYS) ? 'late' : null
}

/** Reminds the users in charge of declarations, once for each reminder. */
export async function remindDuties(deps: Deps, { companyId }: { companyId: number }) {
  const day = getToday()
  const years = [
    ...new Set([addDays(day, -REMINDER_DAYS), day, addDays(day, REMINDER_DAYS)].map((one) => Number(one.slice(0, 4)))),
  ]
  const duties: RegulatoryObligation[] = []
  for (const year of years) duties.push(...(await loadDutyCalendar(deps.db, companyId, year)))
  for (const duty of duties) {
    const when = getReminderKind(duty, day)
    if (!when) continue
    await notify(deps.db, deps, {
      companyId,
      to: { permission: 'declarations.write' },
      category: 'billing',
      type: 'warning',
      priority: when === 'late' ? 'high' : 'normal',
      title: when === 'late' ? `En retard\u00a0: ${duty.label}` : duty.label,
      message: `À faire avant le ${formatFrenchDay(duty.dueOn)}. ${duty.detail}.`,
      action: {
        label: 'Ouvrir le calendrier',
        url: `/regulatory-exports?tab=calendrier&annee=${duty.dueOn.slice(0, 4)}`,
      },
      key: `duty ${duty.key} ${when}`,
    })
  }
}
