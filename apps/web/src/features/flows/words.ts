import type { Comparison, DestinationKind } from '@voisol/contract/flow-rules'
import type { DeadKind, FlowSpan, SubscriberKind } from '@voisol/contract/flows'
import { number } from '../../lib/format.ts'

export const SPANS: { value: FlowSpan; label: string }[] = [
  { value: 'hour', label: 'Dernière heure' },
  { value: 'day', label: '24 heures' },
  { value: 'month', label: '30 jours' },
]
export const KINDS: Record<SubscriberKind, string> = {
  notification: 'Notification',
  mail: 'E-mail',
  webhook: 'Webhook',
  rule: 'Règle',
  job: 'Tâche',
}
export const DEAD_KINDS: Record<DeadKind, string> = {
  webhook: 'Webhook',
  rule: 'Règle',
  mail: 'E-mail',
  job: 'Tâche',
}
export const COMPARISONS: Record<Comparison, string> = {
  equals: 'est égal à',
  contains: 'contient',
  greater: 'est plus grand que',
  among: 'est parmi',
}
export const DESTINATIONS: Record<DestinationKind, string> = {
  webhook: 'Webhook',
  mail: 'E-mail',
  notification: 'Notification',
  connection: 'Fichier par la connexion',
  job: 'Lancer la connexion',
}

const SECOND = 1000
/** How long after it happened, in the largest unit that says it. */
export function delay(ms: number | null): string {
  if (ms === null) return '—'
  if (ms < SECOND) return `${number(ms)}\u00a0ms`
  if (ms < 60 * SECOND) return `${number(ms / SECOND, 1)}\u00a0s`
  if (ms < 3600 * SECOND) return `${number(ms / (60 * SECOND), 0)}\u00a0min`
  return `${number(ms / (3600 * SECOND), 1)}\u00a0h`
}
