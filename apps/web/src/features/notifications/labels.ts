import type { Notification, NotificationChannel } from '@voisol/contract/notifications'
import type { z } from 'zod'
import type { Tone } from '../../ui/badge.tsx'

export const NOTIFICATION_CATEGORY_LABELS: Record<Notification['category'], { label: string; about: string }> = {
  security: { label: 'Sécurité', about: 'Connexions, mots de passe et accès à votre compte' },
  account: { label: 'Compte', about: 'Invitations, profil et organisation' },
  operations: { label: 'Opérations', about: 'Répartition de l’énergie et participants' },
  distributor: { label: 'Données Enedis', about: 'Synchronisations, consentements et courbes' },
  billing: { label: 'Facturation', about: 'Factures, paiements et relances' },
  support: { label: 'Assistance', about: 'Réponses à vos demandes' },
  system: { label: 'Système', about: 'Sauvegardes, maintenance et nouveautés' },
  hours: { label: 'Meilleures heures', about: 'La veille au soir, quand le soleil partagé de demain est assez sûr' },
  month: { label: 'Votre mois solaire', about: 'Une fois par mois, la part locale de votre électricité, en une image' },
}

export const NOTIFICATION_TYPE_LABELS: Record<Notification['type'], { label: string; tone: Tone }> = {
  error: { label: 'Erreur', tone: 'danger' },
  warning: { label: 'Avertissement', tone: 'warning' },
  success: { label: 'Réussite', tone: 'success' },
  info: { label: 'Information', tone: 'info' },
}

/** Only what stands out is said. */
export const NOTIFICATION_PRIORITY_LABELS: Partial<Record<Notification['priority'], { label: string; tone: Tone }>> = {
  critical: { label: 'Critique', tone: 'danger' },
  high: { label: 'Importante', tone: 'warning' },
}

export const NOTIFICATION_CHANNEL_LABELS: Record<z.infer<typeof NotificationChannel>, string> = {
  app: 'Dans l’application',
  mail: 'Par e-mail',
}
