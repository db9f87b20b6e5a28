import type { RetentionMonths } from '@voisol/contract/retention'
import { formatMonths } from '@voisol/contract/retention-kinds'
import type { ProcessingActivity } from '../../../pdf/register.ts'

/** Outside recipients to which an organisation sends data, as configured. */
export type DataRecipients = { enedis: boolean; payments: boolean; connections: string[]; webhooks: string[] }

const joinNames = (names: (string | false)[]) => names.filter(Boolean).join(', ') || 'Aucun hors de l’organisation'

/** Processing activities (GDPR, article 30) of an organisation. Recipients follow from its configuration. */
export const buildTreatments = (months: RetentionMonths, reach: DataRecipients): ProcessingActivity[] => [
  {
    name: 'Répartition de l’énergie partagée',
    purpose: 'Mesurer, répartir et prouver la part de chaque participant, pas à pas',
    basis: 'Exécution du contrat de participation (article 6-1-b)\u00a0; accord à la collecte de la courbe de charge',
    people: 'Participants consommateurs et producteurs',
    data: 'Identité, PRM, puissance, courbes de charge, parts',
    recipients: joinNames([reach.enedis && 'Enedis (gestionnaire de réseau)', ...reach.connections]),
    time: `Courbes\u00a0: ${formatMonths(months.curves)}, puis sommes. Fichiers reçus\u00a0: ${formatMonths(months.imports)}.`,
  },
  {
    name: 'Facturation et encaissement',
    purpose: 'Établir les factures, encaisser, relancer, tenir les comptes',
    basis: 'Contrat (article 6-1-b)\u00a0; obligation légale (article 6-1-c)',
    people: 'Participants, vendeurs, payeurs',
    data: 'Identité, adresse, kWh facturés, montants, IBAN chiffré, mandats, paiements',
    recipients: joinNames([
      'Vendeurs de l’opération',
      'banque',
      reach.payments && 'prestataire de paiement',
      'administration fiscale sur demande',
    ]),
    time: '10 ans (code de commerce, article L123-22)',
  },
  {
    name: 'Espace des participants',
    purpose: 'Donner à chacun ses chiffres, ses factures et ses choix',
    basis: 'Contrat (article 6-1-b)\u00a0; accord pour l’analyse, la comparaison et les conseils (article 6-1-a)',
    people: 'Participants qui ont un compte',
    data: 'Compte, connexions, accords, notifications',
    recipients: joinNames([]),
    time: `Compte\u00a0: jusqu’à sa fermeture. Accords\u00a0: ${formatMonths(months.consents)} après leur fin. Notifications\u00a0: ${formatMonths(months.notifications)}.`,
  },
  {
    name: 'Support',
    purpose: 'Répondre aux demandes',
    basis: 'Contrat (article 6-1-b)',
    people: 'Participants et équipes',
    data: 'Messages, fichiers joints',
    recipients: joinNames([]),
    time: `${formatMonths(months.tickets)} après le dernier message`,
  },
  {
    name: 'Sécurité et preuve',
    purpose: 'Savoir qui a fait quoi, déceler les intrusions',
    basis: 'Intérêt légitime et obligation de sécurité (articles 6-1-f et 32)',
    people: 'Équipes et participants connectés',
    data: 'Actes, adresse IP, appareil',
    recipients: joinNames(reach.webhooks.map((host) => `webhook vers ${host}`)),
    time: `Journal\u00a0: ${formatMonths(months.audit)}. Sessions\u00a0: 24 heures sans activité.`,
  },
]

export const SECURITY_MEASURES = [
  'Accès par personne et par rôle\u00a0; double authentification possible ou exigée\u00a0; sessions closes après 24 heures sans activité.',
  'IBAN, identifiants et messages chiffrés au repos\u00a0; mots de passe hachés.',
  'Cloison entre organisations dans chaque requête, et une seconde fois dans la base.',
  'Journal signé et chaîné\u00a0; factures et mesures qui ne se réécrivent pas.',
  'Copies chiffrées, relues et restaurées à l’essai\u00a0; une donnée effacée disparaît des copies au terme de leur propre durée.',
]
