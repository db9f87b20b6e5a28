import type { MailKind, MailRow } from '@voisol/contract/mails'
import { NotificationCategory } from '@voisol/contract/notifications'
import { isLeft } from '../../people/notifications/notifications.ts'

type Told = Omit<MailRow, 'kind' | 'unsubscribe'>

const MAILS: [MailKind, Told][] = [
  [
    'invitation',
    { title: 'Invitation', to: 'Toute personne invitée', when: 'Quand vous l’invitez, ou renvoyez l’invitation' },
  ],
  ['verification', { title: 'Adresse à confirmer', to: 'Qui ouvre un compte', when: 'À l’inscription' }],
  ['reset', { title: 'Nouveau mot de passe', to: 'Qui l’a demandé', when: 'À la demande' }],
  ['invoice', { title: 'Facture et documents', to: 'L’acheteur', when: 'Quand le mois est envoyé' }],
  ['debit', { title: 'Annonce d’un prélèvement', to: 'Qui sera prélevé', when: 'Avant chaque prélèvement' }],
  ['reminder', { title: 'Relance', to: 'Qui doit une facture échue', when: 'Quand vous relancez' }],
  ['report', { title: 'Rapport programmé', to: 'Les lecteurs choisis', when: 'À son rythme' }],
]
const NOTICES: Record<NotificationCategoryName, Told> = {
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
  hours: { title: 'Meilleures heures de demain', to: 'Qui l’a demandé', when: 'Chaque soir' },
}
type NotificationCategoryName = (typeof NotificationCategory.options)[number]

/** Every message that leaves in a company's name. */
export const mailRows = (): MailRow[] => [
  ...MAILS.map(([kind, told]) => ({ kind, ...told, unsubscribe: false })),
  ...NotificationCategory.options.map((category) => ({
    kind: `notification-${category}` as const,
    ...NOTICES[category],
    unsubscribe: isLeft(category),
  })),
]
