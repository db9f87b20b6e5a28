import type { EnergySeries, Summary } from '@voisol/contract/energy'
import { beforeWords, localOf, monthSentence, pendingOf, rateOf, restOf } from '@voisol/contract/month-words'
import { firstOf, type Mine, type Side } from '@voisol/contract/my-side'
import { energyLike } from '@voisol/contract/numbers'
import { points } from '@voisol/contract/points'
import { wordsOf } from '@voisol/contract/side-words'
import { addMonths } from '@voisol/energy/calendar'
import { snapshot } from '../../../db/snapshot.ts'
import type { Deps } from '../../../deps.ts'
import { frenchMonth } from '../../../french.ts'
import type { Actor } from '../../../http/actor.ts'
import { listPoints } from '../../energy/participants/participants.ts'
import { greeting, mailBrandOf } from '../../people/mail/mail.ts'
import type { NotificationEvent } from '../../people/notifications/notifications.ts'
import { drawnSeries, summaryOf } from '../../understanding/energy/energy.ts'
import { type DayBar, drawDays } from './draw.ts'

/** As many as the portal asks for. */
const LARGEST = 1000
const DEFAULT_COLOUR = '#007BFF'

/** Closed by a definitive run; or every reading is there, and shared by runs that match them. */
export function isWhole(summary: Summary, side: Side): boolean {
  const { current, steps, definitive, stale, suspended } = summary
  if (rateOf(current, side) === null) return false
  if (definitive) return true
  const arrived = steps.expected > 0 && steps.received >= steps.expected
  return arrived && pendingOf(current, side) === 0 && !stale && suspended.length === 0
}

const barsOf = (series: EnergySeries, side: Side): DayBar[] => {
  const [local, rest] = side === 'consumption' ? [series.allocated, series.complement] : [series.shared, series.surplus]
  return series.starts.map((_, at) => ({ local: local[at] ?? null, rest: rest[at] ?? null }))
}

const LEGEND: Record<Side, string> = {
  consumption: 'Une barre par jour\u00a0: en couleur l’énergie locale, en gris celle du réseau.',
  production: 'Une barre par jour\u00a0: en couleur ce que vos voisins ont reçu, en gris le reste.',
}

function partWords({ current }: Summary, mine: Mine): string {
  const [local, rest] = [localOf(current, mine.side), restOf(current, mine.side)]
  const told = energyLike([local, rest])
  const words = wordsOf(mine)
  return `${told(local)} ${words.local}, ${told(rest)} ${words.rest}.`
}

type Words = Required<Pick<NotificationEvent, 'title' | 'message' | 'action' | 'mail'>>

/** A month of somebody in the portal, in its own words and with its own figures; undefined until it is whole. */
export async function monthOf(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  actor: Actor,
  month: string,
): Promise<Words | undefined> {
  const own = await listPoints(db, actor, points.list.query.parse({ size: LARGEST }))
  if (!own.items.length) return undefined
  const mine = firstOf(own.items)
  const { side } = mine
  const query = { ...mine.where, from: month, to: addMonths(month, 1) }
  const summary = await summaryOf(db, actor, config, query)
  if (!isWhole(summary, side)) return undefined
  const series = await snapshot(db, (view) => drawnSeries(view, actor, { ...query, granularity: 'day' }))
  const name = frenchMonth(month)
  const sentence = monthSentence(summary, mine, { when: `en ${name}` })
  const brand = await mailBrandOf(db, config, actor.companyId)
  const paragraphs = [
    greeting(actor.firstName),
    sentence,
    partWords(summary, mine),
    beforeWords(summary, side, 'au mois d’avant'),
  ]
  return {
    title: `Votre mois solaire\u00a0: ${name}`,
    message: sentence,
    action: { label: 'Voir mon mois', url: `/client-portal/${side}?unit=month&from=${query.from}&to=${query.to}` },
    mail: {
      text: paragraphs.filter(Boolean).join('\n\n'),
      picture: {
        filename: `mois-solaire-${month.slice(0, 7)}.png`,
        png: drawDays(barsOf(series, side), brand?.colour ?? DEFAULT_COLOUR),
        alt: `${wordsOf(mine).days}. ${sentence}`,
        caption: LEGEND[side],
      },
    },
  }
}
