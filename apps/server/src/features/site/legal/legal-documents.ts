import type { LegalDocumentName, LegalNotice } from '@voisol/contract/legal'
import type { Config } from '../../../config.ts'
import { getUnbracketedHost, isPrivateHost } from '../../../integrations/post/post.ts'

type Provider = { name: string; role: string; data: string; when: string }
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
const listCompanyProviders = (config: Settings): Provider[] => [
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

type LegalDocumentText = { title: string; summary: string; body: string }

/** A cell of a table in Markdown: what somebody typed stays text. */
const toMarkdownCell = (text: string) => text.replace(/[\\|*_`[\]<>]/g, (sign) => `\\${sign}`).replace(/\s+/g, ' ')
const toMarkdownTable = (rows: Provider[]) =>
  [
    '| Qui | Rôle | Données | Quand |',
    '| --- | --- | --- | --- |',
    ...rows.map(({ name, role, data, when }) => `| ${[name, role, data, when].map(toMarkdownCell).join(' | ')} |`),
  ].join('\n')

const describeProcessor = ({ publisher, legalForm, siren, address }: LegalNotice) =>
  publisher
    ? toMarkdownCell([publisher, legalForm, siren && `SIREN ${siren}`, address].filter(Boolean).join(', '))
    : 'l’exploitant de cette installation (à renseigner dans ses mentions légales)'

const getContact = ({ hasOfficer, officer, email }: LegalNotice, support: string) =>
  toMarkdownCell(hasOfficer && officer ? officer : email || support)

const buildSubprocessorList = (notice: LegalNotice, config: Config): LegalDocumentText => ({
  title: 'Sous-traitants ultérieurs',
  summary: 'Qui travaille pour l’exploitant sur les données des organisations, pour quoi et sur quelles données.',
  body: `Cette liste est tirée des réglages de l’installation le jour où elle est lue. Le sous-traitant est ${describeProcessor(notice)}.

## Prestataires de l’exploitant

${toMarkdownTable(listSubprocessors(notice, config))}

## Ceux que l’organisation choisit elle-même

Ils n’agissent que si l’organisation les a reliés, et sur ses instructions.

${toMarkdownTable(listCompanyProviders(config))}

## Changements

Un prestataire nouveau est annoncé aux organisations avant de recevoir leurs données, avec un délai pour s’y opposer (article 28, paragraphe 2, du RGPD). Contact\u00a0: ${getContact(notice, config.SUPPORT_EMAIL)}.
`,
})

const buildProcessingAgreement = (notice: LegalNotice, config: Config): LegalDocumentText => ({
  title: 'Accord de sous-traitance des données personnelles',
  summary:
    'Article 28 du règlement (UE) 2016/679, entre l’organisation qui gère une opération et l’exploitant de Voisol.',
  body: `## Parties

- **Le responsable du traitement**\u00a0: l’organisation qui a un compte sur cette installation («\u00a0l’organisation\u00a0»).
- **Le sous-traitant**\u00a0: ${describeProcessor(notice)}.

Cet accord complète les conditions d’utilisation et dure autant que le compte de l’organisation.

## Objet, nature et finalité

Le sous-traitant héberge et fait fonctionner Voisol pour que l’organisation gère ses opérations d’autoconsommation collective\u00a0: participants, points, relevés, répartitions, factures, encaissements, documents. Il ne traite les données que pour cela et sur instruction documentée de l’organisation\u00a0; ce qu’elle règle et demande dans l’application est son instruction.

## Données et personnes concernées

| Personnes | Données |
| --- | --- |
| Participants | Identité, coordonnées, points de livraison, courbes de charge, accords, factures, paiements, coordonnées bancaires et mandats |
| Membres de l’équipe de l’organisation | Identité, adresse e-mail, rôle, connexions, actions au journal |

Aucune donnée dite sensible (article 9) n’est demandée. La courbe de charge, qui peut révéler des habitudes, n’est collectée qu’avec un accord daté.

## Obligations du sous-traitant

1. Traiter les données sur les seules instructions de l’organisation, et la prévenir si l’une lui paraît contraire au règlement.
2. Tenir les personnes autorisées à la confidentialité.
3. Prendre les mesures de sécurité décrites plus bas (article 32).
4. Ne recourir à un autre sous-traitant que dans les conditions de la liste des sous-traitants ultérieurs, et lui imposer les mêmes obligations.
5. Aider l’organisation à répondre aux personnes\u00a0: l’accès et la portabilité se font depuis le portail, la rectification depuis les fiches, l’effacement sur demande de l’organisation.
6. Aider l’organisation pour la sécurité, la notification des violations, l’analyse d’impact et la consultation préalable (articles 32 à 36).
7. Notifier toute violation de données à l’organisation sans retard indu après en avoir pris connaissance, avec ce qu’il en sait.
8. Tenir à disposition ce qui démontre le respect de cet accord, et se prêter aux audits.

## Mesures de sécurité

| Mesure | Ce que fait Voisol |
| --- | --- |
| Séparation | Chaque ligne porte le numéro de son organisation\u00a0; chaque lecture est bornée par l’application, chaque écriture l’est aussi par la base |
| Secrets | IBAN, secrets de double authentification, identifiants Enedis et de paiement chiffrés en AES-256-GCM, liés à leur organisation et à leur ligne |
| Mots de passe, clés et sessions | Mots de passe hachés par argon2id\u00a0; clés d’API et jetons gardés par leur seule empreinte |
| Accès | Rôles et droits, double authentification, clés d’accès, connexion unique, limites d’essais |
| Traçabilité | Journal d’audit chaîné et signé, que l’application ne peut ni modifier ni effacer\u00a0; tête du journal remise chaque jour hors de la base |
| Copies | Un instant cohérent de la base et des fichiers, compressé et chiffré par une clé qui n’est pas dans la copie\u00a0; restauration essayée chaque semaine sur une base d’essai |
| Adresses sortantes | Tout appel vers une adresse donnée par une personne passe par une garde qui refuse les réseaux internes |

## Durées

| Données | Durée |
| --- | --- |
| Données d’une opération | Tant que l’organisation la tient, puis effacement à sa demande |
| Factures, écritures et leur chaîne | Le temps que la loi impose à l’organisation |
| Réponses du distributeur telles que reçues | 400 jours |
| Sessions | 24 heures d’inactivité |
| Copies de l’installation | Selon la rétention réglée par l’exploitant (jours, semaines, mois) |
| Copie demandée par l’organisation | 7 jours |

## Lieu et transferts

L’hébergement est choisi par l’exploitant\u00a0: ${notice.hostName ? toMarkdownCell([notice.hostName, notice.hostAddress].filter(Boolean).join(', ')) : 'à renseigner dans ses mentions légales'}. Voisol n’envoie de données à aucun autre destinataire que ceux de la liste des sous-traitants ultérieurs et ceux que l’organisation a reliés elle-même.

## Fin de l’accord

L’organisation emporte tout ce qui est à elle en formats ouverts (JSON, CSV et fichiers), depuis l’écran des copies, et peut le reprendre sur une autre installation. L’exploitant efface ensuite ses données à sa demande, hors ce que la loi oblige à garder\u00a0; les copies de l’installation qui les contiennent s’effacent au fil de leur rétention.

## Contact

Protection des données\u00a0: ${getContact(notice, config.SUPPORT_EMAIL)}.

## Signatures

Pour l’organisation, nom, date et signature\u00a0:

Pour le sous-traitant, nom, date et signature\u00a0:
`,
})

export const LEGAL_DOCUMENTS: Record<LegalDocumentName, (notice: LegalNotice, config: Config) => LegalDocumentText> = {
  'sous-traitants': buildSubprocessorList,
  'accord-de-sous-traitance': buildProcessingAgreement,
}
