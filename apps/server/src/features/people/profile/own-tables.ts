import { INVOICE_KIND_LABELS } from '@voisol/contract/money'
import { PAYMENT_KIND_LABELS, PAYMENT_METHOD_LABELS } from '@voisol/contract/payment-words'
import { type SpreadsheetCell, writeCsv } from '../../../files/csv.ts'
import type { OwnData } from './export.ts'

type ExportTable = { name: string; what: string; header: string[]; rows: SpreadsheetCell[][] }

const DIRECTION_LABELS: Record<string, string> = { consumption: 'consommation', production: 'production' }
const PURPOSE_LABELS: Record<string, string> = {
  collection: 'Collecte de mes mesures',
  analysis: 'Analyse de ma consommation',
  comparison: 'Comparaison avec mes voisins',
  advice: 'Conseils personnalisés',
}
/** A stored value without a label, from a newer release, is shown as it is. */
const getLabel = (words: Record<string, string>, name: string) => words[name] ?? name
const toEuros = (cents: number) => cents / 100
const formatDay = (at: Date | null) => at?.toISOString().slice(0, 10) ?? null

/** The most useful data as CSV files for a spreadsheet. */
export function buildExportTables(data: OwnData): ExportTable[] {
  return [
    {
      name: 'compteurs.csv',
      what: 'vos compteurs et les opérations auxquelles ils prennent part',
      header: ['PRM', 'Sens', 'Nom', 'Titulaire', 'Opération', 'Depuis le', 'Jusqu’au'],
      rows: data.meters.map((one) => [
        one.prm,
        getLabel(DIRECTION_LABELS, one.direction),
        one.label,
        one.participant,
        one.operation,
        one.startsOn,
        one.endsOn,
      ]),
    },
    {
      name: 'consentements.csv',
      what: 'ce que vous avez accepté ou retiré, et quand',
      header: ['Titulaire', 'Finalité', 'Version du texte', 'Donné le', 'Valable jusqu’au', 'Retiré le'],
      rows: data.consents.map((one) => [
        one.participant,
        getLabel(PURPOSE_LABELS, one.purpose),
        one.textVersion,
        formatDay(one.givenAt),
        one.expiresOn,
        formatDay(one.withdrawnAt),
      ]),
    },
    {
      name: 'factures.csv',
      what: 'vos factures et vos avoirs',
      header: ['Numéro', 'Nature', 'Émise le', 'Échéance', 'Du', 'Au', 'kWh', 'Hors taxes (€)', 'TVA (€)', 'Total (€)'],
      rows: data.invoices.map((one) => [
        one.number,
        getLabel(INVOICE_KIND_LABELS, one.kind),
        one.issuedOn,
        one.dueOn,
        one.from,
        one.to,
        one.wh / 1000,
        toEuros(one.netCents),
        toEuros(one.taxCents),
        toEuros(one.grossCents),
      ]),
    },
    {
      name: 'paiements.csv',
      what: 'vos paiements, remboursements et rejets',
      header: ['Date', 'Nature', 'Moyen', 'Montant (€)', 'Libellé'],
      rows: data.payments.map((one) => [
        one.bookedOn,
        getLabel(PAYMENT_KIND_LABELS, one.kind),
        getLabel(PAYMENT_METHOD_LABELS, one.method),
        toEuros(one.amountCents),
        one.note,
      ]),
    },
    {
      name: 'questions.csv',
      what: 'vos questions et les réponses reçues',
      header: ['Demande', 'Sujet', 'Écrit le', 'Par', 'Message'],
      rows: data.tickets.map((one) => [
        one.number,
        one.subject,
        formatDay(one.writtenAt),
        one.side === 'asker' ? 'vous' : 'l’organisateur',
        one.body,
      ]),
    },
  ]
}

export const toTableCsv = ({ header, rows }: ExportTable) => writeCsv(header, rows)

/** The first file one opens: what the others are. */
/** What the archive covers: one company, or all except the named ones that the session may not enter. */
export type ExportScope = { ofOneCompany: boolean; leftOut: string[] }

const EXCLUDED_COMPANIES_ADVICE =
  'Pour recevoir les données de ces organisations, entrez comme elles le demandent\u00a0: par leur connexion d’entreprise, ou avec la double authentification.'

function toIntroduction({ ofOneCompany, leftOut }: ExportScope): string[] {
  if (ofOneCompany)
    return [
      'Cette archive contient ce que Voisol garde à votre sujet pour l’organisation à laquelle vous vous êtes connecté par la connexion d’entreprise. Pour tout recevoir, connectez-vous avec votre mot de passe.',
    ]
  if (!leftOut.length) return ['Cette archive contient tout ce que Voisol garde à votre sujet.']
  return [
    `Cette archive contient ce que Voisol garde à votre sujet, sauf pour\u00a0: ${leftOut.join(', ')}.`,
    EXCLUDED_COMPANIES_ADVICE,
  ]
}

export const buildReadMe = (tables: ExportTable[], meters: string[], scope: ExportScope) =>
  [
    'VOS DONNÉES',
    '',
    ...toIntroduction(scope),
    'Les fichiers .csv s’ouvrent avec un tableur. Le fichier .json se lit par un programme.',
    '',
    ...tables.map(({ name, what }) => `${name}\u00a0: ${what}.`),
    ...meters.map(
      (name) =>
        `${name}\u00a0: les mesures de ce compteur, pendant votre participation. Une case vide est une mesure qui manque.`,
    ),
    'mes-donnees.json\u00a0: tout ce qui précède, avec votre compte, vos sessions, vos mandats, vos messages et vos actions.',
    '',
    'Vos mots de passe, vos clés et votre numéro de compte bancaire complet n’y sont pas, pour votre sécurité.',
    '',
  ].join('\r\n')
