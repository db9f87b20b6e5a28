import type { SubscriberKind } from '@voisol/contract/flows'

/** The subscribers of the product itself, as people know them; the webhooks and rules of a company stand for themselves. */
export const SUBSCRIBERS: Record<string, { kind: SubscriberKind; label: string }> = {
  allocations: { kind: 'notification', label: 'Répartitions à refaire' },
  'api-keys': { kind: 'notification', label: 'Fin des clés d’API' },
  auth: { kind: 'notification', label: 'Nouveaux arrivants' },
  backups: { kind: 'notification', label: 'Copies échouées' },
  bookings: { kind: 'mail', label: 'Confirmations de démonstration' },
  corrections: { kind: 'job', label: 'Recherche de régularisations' },
  curves: { kind: 'notification', label: 'Courbes à vérifier' },
  'distributor-files': { kind: 'notification', label: 'Départs annoncés' },
  health: { kind: 'notification', label: 'Alertes de santé' },
  invoices: { kind: 'job', label: 'Fichiers des factures' },
  online: { kind: 'job', label: 'Paiements en ligne' },
  payments: { kind: 'notification', label: 'Paiements des clients' },
  requests: { kind: 'mail', label: 'Messages du site' },
  sync: { kind: 'notification', label: 'Alertes du distributeur' },
  'webhook-stops': { kind: 'notification', label: 'Webhooks arrêtés' },
}

/** Those that stand for many: what they carry is counted by webhook and by rule. */
export const CARRIERS = { webhook: 'webhooks', rule: 'flows' } as const

const JOBS: Record<string, string> = {
  'allocations.nightly': 'Répartitions de la nuit',
  'allocations.refresh': 'Répartitions à rafraîchir',
  'allocations.run': 'Calcul d’une répartition',
  'allocations.stale': 'Répartitions à refaire',
  'audit.heads': 'Têtes du journal',
  'audit.verify': 'Vérification du journal',
  'bank.dropped': 'Relevés bancaires déposés',
  'copies.company': 'Copie d’une organisation',
  'copies.drill': 'Essai de restauration',
  'copies.make': 'Copie de l’installation',
  'copies.verify': 'Vérification d’une copie',
  'corrections.look': 'Recherche de régularisations',
  'curves.read': 'Lecture de courbes',
  'curves.store': 'Import de courbes',
  'events.deliver': 'Remise des événements',
  'files.decode': 'Lecture d’un fichier du distributeur',
  'invoice.files': 'Fichiers d’une facture',
  'invoice.mail': 'Envoi d’une facture',
  'invoice.platform': 'Dépôt d’une facture',
  'mail.send': 'E-mail',
  'participants.many': 'Action sur plusieurs participants',
  'reminder.mail': 'Envoi d’une relance',
  'sync.run': 'Synchronisation avec le distributeur',
  'webhooks.deliver': 'Envoi d’un webhook',
}
export const jobWords = (name: string) => JOBS[name] ?? `Tâche ${name}`

/** What the log says in English, for whoever has to decide. The log itself has the whole of it. */
const CAUSES: [RegExp, string][] = [
  [/message was refused|recipient|mailbox/i, 'Le serveur de messagerie a refusé ce message\u00a0: vérifiez l’adresse.'],
  [/input is not what this job takes/, 'Cette tâche a été demandée par une autre version de Voisol\u00a0: écartez-la.'],
  [/events wait for/, 'Un abonné n’a pas pu traiter un événement\u00a0: il garde sa place.'],
  [/heartbeat|expired|process stopped/i, 'La tâche s’est arrêtée avec son serveur, ou a dépassé son temps.'],
  [/ECONN|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|ESOCKET|timeout|greeting/i, 'Le service appelé n’a pas répondu.'],
]
const UNEXPECTED = 'Une erreur inattendue a arrêté cette tâche à chaque essai\u00a0; le journal du serveur la décrit.'
export const causeWords = (message: string) => CAUSES.find(([pattern]) => pattern.test(message))?.[1] ?? UNEXPECTED
