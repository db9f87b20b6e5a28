import type { Comparison, DestinationKind } from '@voisol/contract/flow-rules'
import type { DeadLetterKind, FlowPeriod, FlowSubscriber, SubscriberKind } from '@voisol/contract/flows'
import { formatNumber } from '../../lib/format.ts'

export const FLOW_SPAN_OPTIONS: { value: FlowPeriod; label: string }[] = [
  { value: 'hour', label: 'Dernière heure' },
  { value: 'day', label: '24 heures' },
  { value: 'month', label: '30 jours' },
]
export const SUBSCRIBER_KIND_LABELS: Record<SubscriberKind, string> = {
  notification: 'Notification',
  mail: 'E-mail',
  webhook: 'Webhook',
  rule: 'Règle',
  job: 'Tâche',
}
export const DEAD_KIND_LABELS: Record<DeadLetterKind, string> = {
  webhook: 'Webhook',
  rule: 'Règle',
  mail: 'E-mail',
  job: 'Tâche',
}
export const COMPARISON_LABELS: Record<Comparison, string> = {
  equals: 'est égal à',
  contains: 'contient',
  greater: 'est plus grand que',
  among: 'est parmi',
}
export const DESTINATION_LABELS: Record<DestinationKind, string> = {
  webhook: 'Webhook',
  mail: 'E-mail',
  notification: 'Notification',
  connection: 'Fichier par la connexion',
  job: 'Lancer la connexion',
}

const SECOND_MS = 1000
/** How long after it happened, in the largest unit that says it. */
export function formatDelay(ms: number | null): string {
  if (ms === null) return '—'
  if (ms < SECOND_MS) return `${formatNumber(ms)}\u00a0ms`
  if (ms < 60 * SECOND_MS) return `${formatNumber(ms / SECOND_MS, 1)}\u00a0s`
  if (ms < 3600 * SECOND_MS) return `${formatNumber(ms / (60 * SECOND_MS), 0)}\u00a0min`
  return `${formatNumber(ms / (3600 * SECOND_MS), 1)}\u00a0h`
}

/** Nothing came, nothing waits and nothing stands in its way: there is no figure of it to read. */
export const isIdleSubscriber = ({ delivered, waiting, failed, failingSince }: FlowSubscriber) =>
  delivered + waiting + failed === 0 && failingSince === null
