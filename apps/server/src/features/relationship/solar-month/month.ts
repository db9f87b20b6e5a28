import type { EnergySeries, EnergySummary } from '@voisol/contract/energy'
import {
  describeMonth,
  describeRateChange,
  getLocalEnergy,
  getLocalRate,
  getPendingEnergy,
  getRemainingEnergy,
} from '@voisol/contract/month-words'
import { type OwnSide, type Side, selectDefaultSide } from '@voisol/contract/my-side'
import { createEnergyFormatter } from '@voisol/contract/numbers'
import { points } from '@voisol/contract/points'
import { getSideTexts } from '@voisol/contract/side-words'
import { addMonths } from '@voisol/energy/calendar'
import { readSnapshot } from '../../../db/snapshot.ts'
import type { Deps } from '../../../deps.ts'
import { formatFrenchMonth } from '../../../french.ts'
import type { Actor } from '../../../http/actor.ts'
import { listPointViews } from '../../energy/participants/participants.ts'
import { formatGreeting, loadMailBrand } from '../../people/mail/mail.ts'
import type { NotificationEvent } from '../../people/notifications/notifications.ts'
import { loadEnergyChartSeries, loadEnergySummary } from '../../understanding/energy/energy.ts'
import { type DayBar, drawDailyBars } from './draw.ts'

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
