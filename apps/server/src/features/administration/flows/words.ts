import type { SubscriberKind } from '@voisol/contract/flows'

/** Labels of the product's own subscribers; webhooks and rules have their own names. */
export const SUBSCRIBER_LABELS: Record<string, { kind: SubscriberKind; label: string }> = {
  allocations: { kind: 'notification', label: 'Répartitions à refaire' },
  'api-keys': { kind: 'notification', label: 'Fin des clés d’API' },
  auth: { kind: 'notification', label: 'Nouveaux arrivants' },
  backups: { kind: 'notification', label: 'Copies échouées' },
  bookings: { kind: 'mail', label: 'Confirmations de démonstration' },
  connections: { kind: 'notification', label: 'Connexions arrêtées' },
  corrections: { kind: 'job', label: 'Recherche de régularisations' },
  curves: { kind: 'notification', label: 'Courbes à vérifier' },
  'distributor-files': { kind: 'notification', label: 'Départs annoncés' },
  exports: { kind: 'notification', label: 'Exports prêts' },
  forecasts: { kind: 'job', label: 'Mesure des prévisions' },
  health: { kind: 'notification', label: 'Alertes de santé' },
  incidents: { kind: 'mail', label: 'Incidents du service' },
  invoices: { kind: 'job', label: 'Fichiers des factures' },
  online: { kind: 'job', label: 'Paiements en ligne' },
  'participant-mails': { kind: 'mail', label: 'Messages aux participants' },
  payments: { kind: 'notification', label: 'Paiements des clients' },
  requests: { kind: 'mail', label: 'Messages du site' },
  joining: { kind: 'notification', label: 'Demandes d’entrée et de départ' },
  subscription: { kind: 'notification', label: 'Abonnement' },
  support: { kind: 'notification', label: 'Demandes de support' },
  sync: { kind: 'notification', label: 'Alertes du distributeur' },
  'webhook-stops': { kind: 'notification', label: 'Webhooks arrêtés' },
}

/** Subscribers that stand for many webhooks or rules, each of which is counted separately. */
export const CARRIER_SUBSCRIBERS = { webhook: 'webhooks', rule: 'flows' } as const

/** French causes for the English error messages, for those who decide what to do; the log keeps the full message. */
const CAUSES: [RegExp, string][] = [
  [/message was refused|recipient|mailbox/i, 'Le serveur de messagerie a refusé ce message\u00a0: vérifiez l’adresse.'],
  [/input is not what this job takes/, 'Cette tâche a été demandée par une autre version de Voisol\u00a0: écartez-la.'],
  [/events wait for/, 'Un abonné n’a pas pu traiter un événement\u00a0: il garde sa place.'],
  [/heartbeat|expired|process stopped/i, 'La tâche s’est arrêtée avec son serveur, ou a dépassé son temps.'],
  [/ECONN|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|ESOCKET|timeout|greeting/i, 'Le service appelé n’a pas répondu.'],
]
const UNEXPECTED_CAUSE =
  'Une erreur inattendue a arrêté cette tâche à chaque essai\u00a0; le journal du serveur la décrit.'
export const describeCause = (message: string) =>
  CAUSES.find(([pattern]) => pattern.test(message))?.[1] ?? UNEXPECTED_CAUSE
