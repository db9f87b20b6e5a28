import type { EnergySeries, EnergySummary } from '@voisol/contract/energy'
import {
  describeMonth,
  describeRateChange,
  getLocalEnergy,
  getLocalRate,
  getPendingEnergy,
  getRemainingEnergy,
} from '@voisol/contract/month-sentences'
import { createEnergyFormatter } from '@voisol/contract/number-formats'
import { type OwnSide, type Side, selectDefaultSide } from '@voisol/contract/own-side'
import { points } from '@voisol/contract/points'
import { getSideTexts } from '@voisol/contract/side-texts'
import { addMonths, monthOf as firstDayOf } from '@voisol/energy/calendar'
import { formatFrenchMonth } from '@voisol/file-formats/french'
import { sql } from 'drizzle-orm'
import { participantUsersSql } from '../../../core/access-scopes.ts'
import { type Db, readSnapshot, scopeToCompany, transaction } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { recordEvent } from '../../../events/events.ts'
import type { Actor } from '../../../http/actor.ts'
import { loadJobActor } from '../../../http/job-actor.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { getToday } from '../../../today.ts'
import { loadEnergyChartSeries, loadEnergySummary } from '../../analytics/energy/index.ts'
import { listPointViews } from '../../energy/participants/index.ts'
import { formatGreeting, loadMailBrand } from '../../identity/mail/index.ts'
import { type NotificationEvent, notify } from '../../identity/notifications/index.ts'
import { type DayBar, drawDailyBars } from './daily-chart.ts'

/** The month that has just ended: older months are not notified. */
export const getLastMonth = () => addMonths(firstDayOf(getToday()), -1)

type SolarMonthJob = { companyId: number; month: string }

/**
 * Portal users who took part in that month, were not notified yet, and whose days are all covered by runs. This cheap
 * filter avoids reading figures that are certainly incomplete.
 */
async function listUsersToNotify(db: Db, { companyId, month }: SolarMonthJob): Promise<string[]> {
  const end = addMonths(month, 1)
  const { rows } = await db.execute<{ userId: string }>(sql`
    with stays as (
      select h.user_id, s.operation_id, greatest(s.starts_on, ${month}::date) as lo,
             least(coalesce(s.ends_on, ${end}::date), ${end}::date) as hi
        from ${participantUsersSql(companyId)} h
        join memberships m on m.company_id = ${companyId} and m.user_id = h.user_id
         and m.accepted_at is not null and m.disabled_at is null
        join participations s on s.company_id = ${companyId} and s.participant_id = h.id
         and s.starts_on < ${end} and (s.ends_on is null or s.ends_on > ${month}))
    select user_id as "userId" from stays t
     where not exists (select from events e where e.company_id = ${companyId} and e.object = t.user_id::text
             and e.name = 'month.summed' and e.data ->> 'month' = ${month})
     group by user_id
    having bool_and((select count(*) from allocation_coverage c where c.company_id = ${companyId}
             and c.operation_id = t.operation_id and c.day >= t.lo and c.day < t.hi) = t.hi - t.lo)
     order by user_id`)
  return rows.map(({ userId }) => userId)
}

/**
 * Notifies and remembers it in one transaction, so that the job can run again even if the reader deleted the
 * notification.
 */
async function notifyUser(deps: Deps, { companyId, month }: SolarMonthJob, userId: string): Promise<void> {
  const actor = await loadJobActor(deps.db, companyId, userId, 'portal')
  if (actor?.space !== 'portal') return
  const words = await buildSolarMonth(deps, actor, month)
  if (!words) return
  await transaction(scopeToCompany(deps.db, companyId), async (tx) => {
    const about = { category: 'month', type: 'info', priority: 'normal' } as const
    await notify(tx, deps, { companyId, to: [userId], ...about, ...words, key: `solar-month ${month}` })
    const data = { userId, month }
    await recordEvent(tx, { companyId, name: 'month.summed', object: userId, data, once: `${userId} ${month}` })
  })
}

export async function notifySolarMonth(deps: Deps, work: SolarMonthJob, signal?: AbortSignal): Promise<void> {
  if (work.month !== getLastMonth()) return
  for (const userId of await listUsersToNotify(deps.db, work)) {
    signal?.throwIfAborted()
    // An error for one user must not stop the others; it is retried the next day.
    await notifyUser(deps, work, userId).catch((err) =>
      deps.log.error({ err, companyId: work.companyId, userId }, 'the month of a participant was not told'),
    )
  }
}

/** One job per company every day, since the last readings of a month may arrive at any time. */
export async function enqueueSolarMonths({ db }: Pick<Deps, 'db'>): Promise<void> {
  const { rows } = await db.execute<{ companyId: number }>(
    sql`select distinct company_id as "companyId" from participants where user_id is not null order by 1`,
  )
  const month = getLastMonth()
  for (const { companyId } of rows)
    await enqueue(db, 'solar-month.tell', { companyId, month }, { once: `${companyId} ${month}` })
}

/** The same limit as in the portal. */
const MAX_POINTS = 1000
const DEFAULT_COLOUR = '#007BFF'

/** Closed by a definitive run, or with all readings allocated by current runs. */
export function isMonthComplete(summary: EnergySummary, side: Side): boolean {
  const { current, steps, definitive, stale, suspended } = summary
  if (getLocalRate(current, side) === null) return false
  if (definitive) return true
  const arrived = steps.expected > 0 && steps.received >= steps.expected
  return arrived && getPendingEnergy(current, side) === 0 && !stale && suspended.length === 0
}

const toDayBars = (series: EnergySeries, side: Side): DayBar[] => {
  const [local, rest] = side === 'consumption' ? [series.allocated, series.complement] : [series.shared, series.surplus]
  return series.starts.map((_, at) => ({ local: local[at] ?? null, rest: rest[at] ?? null }))
}

const LEGEND: Record<Side, string> = {
  consumption: 'Une barre par jour\u00a0: en couleur l’énergie locale, en gris celle du réseau.',
  production: 'Une barre par jour\u00a0: en couleur ce que vos voisins ont reçu, en gris le reste.',
}

function formatLocalAndRest({ current }: EnergySummary, mine: OwnSide): string {
  const [local, rest] = [getLocalEnergy(current, mine.side), getRemainingEnergy(current, mine.side)]
  const formatEnergy = createEnergyFormatter([local, rest])
  const words = getSideTexts(mine)
  return `${formatEnergy(local)} ${words.local}, ${formatEnergy(rest)} ${words.rest}.`
}

type SolarMonthNotification = Required<Pick<NotificationEvent, 'title' | 'message' | 'action' | 'mail'>>

/** A month of a portal user with the portal's texts and figures; undefined until it is complete. */
export async function buildSolarMonth(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  actor: Actor,
  month: string,
): Promise<SolarMonthNotification | undefined> {
  const own = await listPointViews(db, actor, points.list.query.parse({ size: MAX_POINTS }))
  if (!own.items.length) return undefined
  const mine = selectDefaultSide(own.items)
  const { side } = mine
  const query = { ...mine.where, from: month, to: addMonths(month, 1) }
  const summary = await loadEnergySummary(db, actor, config, query)
  if (!isMonthComplete(summary, side)) return undefined
  const series = await readSnapshot(db, (view) => loadEnergyChartSeries(view, actor, { ...query, granularity: 'day' }))
  const name = formatFrenchMonth(month)
  const sentence = describeMonth(summary, mine, { when: `en ${name}` })
  const brand = await loadMailBrand(db, config, actor.companyId)
  const paragraphs = [
    formatGreeting(actor.firstName),
    sentence,
    formatLocalAndRest(summary, mine),
    describeRateChange(summary, side, 'au mois d’avant'),
  ]
  return {
    title: `Votre mois solaire\u00a0: ${name}`,
    message: sentence,
    action: { label: 'Voir mon mois', url: `/client-portal/${side}?unit=month&from=${query.from}&to=${query.to}` },
    mail: {
      text: paragraphs.filter(Boolean).join('\n\n'),
      picture: {
        filename: `mois-solaire-${month.slice(0, 7)}.png`,
        png: drawDailyBars(toDayBars(series, side), brand?.colour ?? DEFAULT_COLOUR),
        alt: `${getSideTexts(mine).days}. ${sentence}`,
        caption: LEGEND[side],
      },
    },
  }
}
