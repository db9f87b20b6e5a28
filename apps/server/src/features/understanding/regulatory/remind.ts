import type { Duty } from '@voisol/contract/regulatory'
import { addDays } from '@voisol/money/days'
import type { Deps } from '../../../deps.ts'
import { frenchDay } from '../../../french.ts'
import { today } from '../../../today.ts'
import { notify } from '../../people/notifications/notifications.ts'
import { calendarOf } from './calendar.ts'

const WARN_DAYS = 7

/** Twice at most: when a duty comes near, and on the morning after it was due. What was late long ago is on the screen. */
function whenOf({ state, dueOn }: Duty, day: string): 'near' | 'late' | null {
  if (state === 'done' || state === 'later') return null
  if (dueOn >= day) return dueOn <= addDays(day, WARN_DAYS) ? 'near' : null
  return dueOn >= addDays(day, -WARN_DAYS) ? 'late' : null
}

/** Tells those who keep the declarations what is due; whoever was told is not told again. */
export async function remind(deps: Deps, { companyId }: { companyId: number }) {
  const day = today()
  const years = [
    ...new Set([addDays(day, -WARN_DAYS), day, addDays(day, WARN_DAYS)].map((one) => Number(one.slice(0, 4)))),
  ]
  const duties: Duty[] = []
  for (const year of years) duties.push(...(await calendarOf(deps.db, companyId, year)))
  for (const duty of duties) {
    const when = whenOf(duty, day)
    if (!when) continue
    await notify(deps.db, deps, {
      companyId,
      to: { permission: 'declarations.write' },
      category: 'billing',
      type: 'warning',
      priority: when === 'late' ? 'high' : 'normal',
      title: when === 'late' ? `En retard\u00a0: ${duty.label}` : duty.label,
      message: `À faire avant le ${frenchDay(duty.dueOn)}. ${duty.detail}.`,
      action: {
        label: 'Ouvrir le calendrier',
        url: `/regulatory-exports?tab=calendrier&annee=${duty.dueOn.slice(0, 4)}`,
      },
      key: `duty ${duty.key} ${when}`,
    })
  }
}
