import type { MailKind, MailRow } from '@voisol/contract/mails'
import { NotificationCategory } from '@voisol/contract/notifications'
import { isUnsubscribable } from '../../people/notifications/notifications.ts'

type MailDescription = Omit<MailRow, 'kind' | 'unsubscribe'>

const MAIL_DESCRIPTIONS: [MailKind, MailDescription][] = [
  [
    'invitation',
    { title: 'Invitation', to: 'Toute personne invitée', when: 'Quand vous l’invitez, ou renvoyez l’invitation' },
  ],
  ['welcome', { title: 'Bienvenue', to: 'Le participant', when: 'Une fois, quand il ouvre son espace' }],
  ['verification', { title: 'Adresse à confirmer', to: 'Qui ouvre un compte', when: 'À l’inscription' }],
  ['reset', { title: 'Nouveau mot de passe', to: 'Qui l’a demandé', when: 'À la demande' }],
  ['invoice', { title: 'Facture et documents', to: 'L’acheteur', when: 'Quand le mois est envoyé' }],
  ['debit', { title: 'Annonce d’un prélèvement', to: 'Qui sera prélevé', when: 'Avant chaque prélèvement' }],
  ['reminder', { title: 'Relance', to: 'Qui doit une facture échue', when: 'Quand vous relancez' }],
  [
    'consent-request',
    {
      title: 'Accord demandé',
      to: 'Qui n’a pas donné le sien',
      when: 'Quand vous le demandez, une fois par semaine au plus',
    },
  ],
  [
    'consent-ending',
    { title: 'Accord bientôt terminé', to: 'Qui l’a donné', when: 'Trente jours avant sa fin, puis sept' },
  ],
  ['joining-link', { title: 'Demande d’entrée à confirmer', to: 'Qui la fait', when: 'Dès qu’elle est remplie' }],
  ['joining-signed', { title: 'Demande d’entrée reçue', to: 'Qui l’a signée', when: 'À la signature' }],
  ['joining-accepted', { title: 'Demande d’entrée acceptée', to: 'Qui l’a faite', when: 'Quand vous l’acceptez' }],
  ['joining-refused', { title: 'Demande d’entrée refusée', to: 'Qui l’a faite', when: 'Quand vous la refusez' }],
  ['departure-accepted', { title: 'Départ accepté', to: 'Qui s’en va', when: 'Quand vous l’acceptez' }],
  ['departure-refused', { title: 'Départ refusé', to: 'Qui voulait partir', when: 'Quand vous le refusez' }],
  ['successor', { title: 'Mot au successeur', to: 'Qui emménage', when: 'Quand vous acceptez un déménagement' }],
  ['report', { title: 'Rapport programmé', to: 'Les lecteurs choisis', when: 'À son rythme' }],
]
const NOTIFICATION_DESCRIPTIONS: Record<NotificationCategoryName, MailDescription> = {
  security: { title: 'Alerte de sécurité', to: 'La personne concernée', when: 'Dès qu’elle survient' },
  account: { title: 'Vie du compte', to: 'La personne concernée', when: 'Quand elle ne peut pas attendre' },
  operations: { title: 'Vie des opérations', to: 'Qui suit l’opération', when: 'Quand elle ne peut pas attendre' },
  distributor: {
    title: 'Données du distributeur',
    to: 'Qui suit l’opération',
    when: 'Quand elle ne peut pas attendre',
  },
  billing: { title: 'Facturation', to: 'La personne concernée', when: 'Quand elle ne peut pas attendre' },
  support: { title: 'Réponse du support', to: 'Qui a posé la question', when: 'À chaque réponse' },
  system: { title: 'Installation', to: 'Les administrateurs', when: 'Quand elle ne peut pas attendre' },
  month: { title: 'Votre mois solaire', to: 'Chaque participant', when: 'Une fois par mois, quand il est complet' },
  hours: { title: 'Meilleures heures de demain', to: 'Qui l’a demandé', when: 'Chaque soir' },
}
type NotificationCategoryName = (typeof NotificationCategory.options)[number]

/** Every kind of mail that is sent in a company's name. */
export const listMailRows = (): MailRow[] => [
  ...MAIL_DESCRIPTIONS.map(([kind, told]) => ({ kind, ...told, unsubscribe: kind === 'report' })),
  ...NotificationCategory.options.map((category) => ({
    kind: `notification-${category}` as const,
    ...NOTIFICATION_DESCRIPTIONS[category],
    unsubscribe: isUnsubscribable(category),
  })),
]
