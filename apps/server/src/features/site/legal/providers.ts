import type { LegalNotice } from '@voisol/contract/legal'
import { getUnbracketedHost, isPrivateHost } from '../../../adapters/post/addresses.ts'
import type { Config } from '../../../config.ts'

export type Provider = { name: string; role: string; data: string; when: string }
type Settings = Pick<
  Config,
  'SMTP_URL' | 'FILES_S3_ENDPOINT' | 'BACKUP_S3_ENDPOINT' | 'ANALYTICS_URL' | 'STRIPE_HOST' | 'INVOICE_PLATFORM_FOLDER'
>

const OWN_SERVER = 'Un serveur de l’exploitant'

/** Whose it is, without which machine of theirs: `smtp-7.exemple.fr` is exemple.fr. What is not on the internet is the operator's own. */
function getHostOwner(address: string): string {
  const url = new URL(address)
  if (isPrivateHost(getUnbracketedHost(url))) return OWN_SERVER
  return url.hostname.split('.').slice(-2).join('.')
}

const buildHostProvider = ({ hostName, hostAddress }: LegalNotice): Provider => ({
  name: hostName
    ? [hostName, hostAddress].filter(Boolean).join(', ')
    : 'À renseigner par l’exploitant (mentions légales)',
  role: 'Hébergement de l’application et de la base de données',
  data: 'Toutes les données de la plateforme',
  when: 'En permanence',
})

const listIfConfigured = (address: string | undefined, rest: Omit<Provider, 'name'>): Provider[] =>
  address ? [{ name: getHostOwner(address), ...rest }] : []

/** Who works for the operator on the data of companies: read from what this installation is set to, and nothing else. */
export const listSubprocessors = (notice: LegalNotice, config: Settings): Provider[] => [
  buildHostProvider(notice),
  ...listIfConfigured(config.SMTP_URL, {
    role: 'Envoi des e-mails',
    data: 'Adresse et contenu des messages envoyés',
    when: 'À chaque message',
  }),
  ...listIfConfigured(config.FILES_S3_ENDPOINT, {
    role: 'Stockage des fichiers',
    data: 'Documents, factures, fichiers déposés',
    when: 'En permanence',
  }),
  ...listIfConfigured(config.BACKUP_S3_ENDPOINT, {
    role: 'Garde des copies de l’installation',
    data: 'Copies chiffrées, dont la clé n’est pas chez ce prestataire',
    when: 'Selon l’horaire des copies',
  }),
  ...listIfConfigured(config.ANALYTICS_URL, {
    role: 'Mesure d’audience du site public',
    data: 'Pages vues, sans donnée d’une opération',
    when: 'Après consentement seulement',
  }),
]

/** Those that a company itself calls upon from here: they act on its word, and are no processors of the operator. */
export const listCompanyProviders = (config: Settings): Provider[] => [
  {
    name: 'Enedis',
    role: 'Gestionnaire du réseau, source des relevés',
    data: 'Numéros de point, accords, relevés',
    when: 'Quand l’organisation a saisi ses identifiants',
  },
  {
    name: getHostOwner(config.STRIPE_HOST),
    role: 'Paiement en ligne',
    data: 'Montant, référence de facture, moyen de paiement saisi chez lui',
    when: 'Quand l’organisation a relié son compte',
  },
  ...(config.INVOICE_PLATFORM_FOLDER
    ? [
        {
          name: 'La plateforme agréée de l’exploitant',
          role: 'Transmission des factures électroniques',
          data: 'Factures et leurs états',
          when: 'Quand l’organisation l’a choisie',
        },
      ]
    : []),
  {
    name: 'Destinataires de webhooks et fournisseurs d’identité',
    role: 'Systèmes que l’organisation relie elle-même',
    data: 'Les événements et les connexions qu’elle a choisis',
    when: 'Quand l’organisation les a réglés',
  },
]
