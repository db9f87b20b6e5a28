import type { Comparison, DestinationKind } from '@voisol/contract/flow-rules'
import type { DeadLetterKind, FlowSubscriber, SubscriberKind } from '@voisol/contract/flows'

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

/** Nothing came, nothing waits and nothing stands in its way: there is no figure of it to read. */
export const isIdleSubscriber = ({ delivered, waiting, failed, failingSince }: FlowSubscriber) =>
  delivered + waiting + failed === 0 && failingSince === null
