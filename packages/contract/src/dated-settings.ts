import { z } from 'zod'
import { BasisPoints, Cents } from './money.ts'
import type { Day } from './primitives.ts'

/** Placeholders allowed in a letter. */
const LETTER_FIELDS = ['{acheteur}', '{vendeur}', '{montant}', '{factures}', '{date}', '{retard}', '{iban}']
const Sentence = z.string().trim().min(1).max(1000)
const Days = z.int().min(0).max(365)
/** A class of consumers and its rate; `upToVa` is its largest subscribed power, null without a limit. */
const AcciseRates = z
  .array(
    z.strictObject({
      class: z.string().trim().min(1).max(40),
      centsPerMwh: z.int().min(0).max(100_000),
      upToVa: z.int().min(1).nullable(),
    }),
  )
  .min(1)
  .max(20)
  .refine(
    (rows) => new Set(rows.map((row) => row.class)).size === rows.length,
    'Une même classe est écrite deux fois\u00a0: chacune n’a qu’un tarif.',
  )
const buildSentenceNaming = (...names: string[]) =>
  Sentence.refine(
    (text) => names.every((name) => text.includes(name)),
    `La mention nomme ${names.join(' et ')}, entre accolades.`,
  )

type DatedValue<V> = { from: z.infer<typeof Day>; value: V; source: string }
/** A letter text of the company: placeholders in braces are filled when it is generated. */
const LetterText = z
  .string()
  .trim()
  .min(20)
  .max(3000)
  .refine(
    (text) => text.includes('{montant}') && text.includes('{factures}'),
    'La lettre nomme {montant} et {factures}.',
  )
  .refine(
    (text) => (text.match(/\{[^}]*\}/g) ?? []).every((name) => LETTER_FIELDS.includes(name)),
    'Seuls {acheteur}, {vendeur}, {montant}, {factures}, {date}, {retard} et {iban} se remplissent.',
  )

const defineSetting = <S extends z.ZodType>(label: string, value: S, said: DatedValue<z.output<S>>[]) => ({
  label,
  value,
  said,
})

const DEFAULT_START_DAY = '2020-01-01'
/** Households up to 36 kVA, small businesses up to 250, the others. */
const defineAcciseRates = (households: number, small: number, large: number) => [
  { class: 'ménages', centsPerMwh: households, upToVa: 36_000 },
  { class: 'PME', centsPerMwh: small, upToVa: 250_000 },
  { class: 'haute puissance', centsPerMwh: large, upToVa: null },
]
/**
 * Every legal text, rate, delay and threshold used for invoices, with the default until a company sets its own: from
 * which day, and by which source. When a law changes a figure, a row is added; nothing issued changes.
 */
export const SETTING_DEFINITIONS = {
  'quantity.unitWh': defineSetting('Unité facturée (Wh)', z.union([z.literal(1), z.literal(1000)]), [
    { from: DEFAULT_START_DAY, value: 1, source: 'Choix du produit\u00a0: au wattheure' },
  ]),
  'vat.standardRate': defineSetting('Taux normal de TVA', BasisPoints, [
    { from: DEFAULT_START_DAY, value: 2000, source: 'CGI, article 278' },
    { from: '2026-09-01', value: 2000, source: 'CIBS, qui reprend l’article 278 du CGI\u00a0; article à confirmer' },
  ]),
  'accise.thresholdWatts': defineSetting('Puissance à partir de laquelle l’accise est due (W)', z.int().min(0), [
    {
      from: '2025-03-01',
      value: 1_000_000,
      source: 'CIBS, articles L. 312-79 et L. 312-87 (loi n° 2025-127, article 75)',
    },
  ]),
  'accise.rates': defineSetting('Tarifs de l’accise (c€/MWh)', AcciseRates, [
    { from: '2024-01-01', value: defineAcciseRates(2100, 2050, 2050), source: 'Tarifs de 2024, texte à confirmer' },
    {
      from: '2025-02-01',
      value: defineAcciseRates(3370, 2623, 2250),
      source: 'Tarifs au 1er février 2025, texte à confirmer',
    },
    {
      from: '2025-08-01',
      value: defineAcciseRates(2998, 2579, 2579),
      source: 'Tarifs au 1er août 2025, texte à confirmer',
    },
    {
      from: '2026-02-01',
      value: defineAcciseRates(3085, 2658, 2658),
      source: 'Tarifs au 1er février 2026\u00a0; un changement annoncé au 1er août 2026 reste à confirmer',
    },
  ]),
  'mention.mandate': defineSetting(
    'Mention\u00a0: facture établie sous mandat',
    buildSentenceNaming('{PMO}', '{producteur}'),
    [
      {
        from: DEFAULT_START_DAY,
        value: 'Facture établie par {PMO} au nom et pour le compte de {producteur}.',
        source: 'CGI, article 289, I, 2',
      },
      {
        from: '2026-09-01',
        value: 'Facture établie par {PMO} au nom et pour le compte de {producteur}.',
        source: 'CIBS, qui reprend l’article 289 du CGI\u00a0; article à confirmer',
      },
    ],
  ),
  'mention.acciseZero': defineSetting('Mention\u00a0: accise à taux nul', Sentence, [
    {
      from: '2025-03-01',
      value:
        'Électricité d’origine renouvelable, produite par une installation de moins de 1 MW et consommée en autoconsommation collective\u00a0: accise sur l’électricité au tarif nul.',
      source:
        'CIBS, articles L. 312-79 et L. 312-87 (loi n° 2025-127, article 75)\u00a0; conditions et durée à confirmer',
    },
  ]),
  'mention.exempt': defineSetting('Mention\u00a0: franchise de TVA', Sentence, [
    { from: DEFAULT_START_DAY, value: 'TVA non applicable, art. 293 B du CGI', source: 'CGI, article 293 B' },
    {
      from: '2026-09-01',
      value: 'TVA non applicable, art. L. 223-1 du CIBS',
      source:
        'CIBS, articles L. 223-1 et suivants, à confirmer\u00a0; ancienne mention tolérée jusqu’au 31 décembre 2027',
    },
  ]),
  'mention.outside': defineSetting('Mention\u00a0: hors champ de la TVA', Sentence, [
    { from: DEFAULT_START_DAY, value: 'Opération hors champ de la TVA', source: 'CGI, article 256' },
  ]),
  'mention.elsewhere': defineSetting('Mention\u00a0: TVA collectée par le fournisseur', Sentence, [
    { from: DEFAULT_START_DAY, value: 'TVA collectée par le fournisseur', source: 'À confirmer' },
  ]),
  'mention.penalties': defineSetting('Mention\u00a0: pénalités de retard', Sentence, [
    {
      from: DEFAULT_START_DAY,
      value: 'En cas de retard de paiement, pénalités au taux de refinancement de la BCE majoré de 10 points.',
      source: 'Code de commerce, article L. 441-10',
    },
  ]),
  'mention.recovery': defineSetting('Mention\u00a0: indemnité de recouvrement (professionnels)', Sentence, [
    {
      from: DEFAULT_START_DAY,
      value: 'Indemnité forfaitaire pour frais de recouvrement\u00a0: 40 €.',
      source: 'Code de commerce, article D. 441-5',
    },
  ]),
  'mention.discount': defineSetting('Mention\u00a0: escompte', Sentence, [
    {
      from: DEFAULT_START_DAY,
      value: 'Pas d’escompte pour paiement anticipé.',
      source: 'Code de commerce, article L. 441-9',
    },
  ]),
  'mention.category': defineSetting('Mention\u00a0: nature de l’opération', Sentence, [
    {
      from: DEFAULT_START_DAY,
      value: 'Catégorie de l’opération\u00a0: livraison de biens.',
      source: 'CGI, annexe II, article 242 nonies A',
    },
  ]),
  'mention.categoryServices': defineSetting('Mention\u00a0: nature de l’opération, frais seuls', Sentence, [
    {
      from: DEFAULT_START_DAY,
      value: 'Catégorie de l’opération\u00a0: prestation de services.',
      source: 'CGI, annexe II, article 242 nonies A',
    },
  ]),
  'mention.categoryMixed': defineSetting('Mention\u00a0: nature de l’opération, énergie et frais', Sentence, [
    {
      from: DEFAULT_START_DAY,
      value: 'Catégorie de l’opération\u00a0: livraison de biens et prestation de services.',
      source: 'CGI, annexe II, article 242 nonies A',
    },
  ]),
  'mention.complement': defineSetting('Mention\u00a0: complément de fourniture', Sentence, [
    {
      from: DEFAULT_START_DAY,
      value: 'Le complément est facturé par votre fournisseur.',
      source: 'Code de l’énergie, article L. 315-4',
    },
  ]),
  'due.days': defineSetting('Échéance\u00a0: jours après l’émission', Days, [
    { from: DEFAULT_START_DAY, value: 15, source: 'Choix du produit' },
  ]),
  'due.daysBusiness': defineSetting('Échéance la plus longue\u00a0: professionnels', Days, [
    { from: DEFAULT_START_DAY, value: 60, source: 'Code de commerce, article L. 441-10' },
  ]),
  'due.daysPublic': defineSetting('Échéance la plus longue\u00a0: personnes publiques', Days, [
    { from: DEFAULT_START_DAY, value: 30, source: 'Code de la commande publique, article R. 2192-10' },
  ]),
  'correction.heldCents': defineSetting('Régularisation retenue en dessous de (centimes)', Cents.min(0).max(10_000), [
    { from: DEFAULT_START_DAY, value: 50, source: 'Choix du produit' },
  ]),
  'correction.claimMonths': defineSetting(
    'Rien n’est réclamé à un particulier au-delà de (mois)',
    z.int().min(1).max(60),
    [{ from: DEFAULT_START_DAY, value: 14, source: 'Code de la consommation, article L. 224-11' }],
  ),
  'reminder.automatic': defineSetting('Rappels et relances envoyés sans attendre une personne', z.boolean(), [
    { from: DEFAULT_START_DAY, value: false, source: 'Choix du produit\u00a0: quelqu’un relit avant l’envoi' },
  ]),
  'reminder.days1': defineSetting('Rappel\u00a0: jours après l’échéance', Days, [
    { from: DEFAULT_START_DAY, value: 7, source: 'Choix du produit' },
  ]),
  'reminder.days2': defineSetting('Relance\u00a0: jours après l’échéance', Days, [
    { from: DEFAULT_START_DAY, value: 21, source: 'Choix du produit' },
  ]),
  'reminder.days3': defineSetting('Mise en demeure\u00a0: jours après l’échéance', Days, [
    { from: DEFAULT_START_DAY, value: 35, source: 'Choix du produit\u00a0; Code civil, article 1344' },
  ]),
  'reminder.days4': defineSetting('Dossier\u00a0: jours après l’échéance', Days, [
    { from: DEFAULT_START_DAY, value: 60, source: 'Choix du produit' },
  ]),
  'reminder.gapDays': defineSetting('Jours au moins entre deux relances', Days, [
    { from: DEFAULT_START_DAY, value: 7, source: 'Choix du produit' },
  ]),
  'reminder.leastCents': defineSetting('Rien n’est relancé en dessous de (centimes)', Cents.min(0).max(100_000), [
    { from: DEFAULT_START_DAY, value: 500, source: 'Choix du produit' },
  ]),
  'reminder.bankDays': defineSetting('Rien n’est relancé quand le relevé de banque a plus de (jours)', Days, [
    { from: DEFAULT_START_DAY, value: 3, source: 'Choix du produit\u00a0: un paiement peut être arrivé' },
  ]),
  'reminder.text1': defineSetting('Lettre\u00a0: rappel', LetterText, [
    {
      from: DEFAULT_START_DAY,
      value:
        'Bonjour {acheteur},\n\nsauf erreur de notre part, {montant} restent à régler à {vendeur}\u00a0: {factures}.\n\nSi votre paiement est parti entre-temps, ne tenez pas compte de ce message. Sinon, merci de virer cette somme en rappelant le numéro de la facture. {iban}',
      source: 'Texte du produit',
    },
  ]),
  'reminder.text2': defineSetting('Lettre\u00a0: relance', LetterText, [
    {
      from: DEFAULT_START_DAY,
      value:
        'Bonjour {acheteur},\n\nmalgré notre rappel, {montant} restent dus à {vendeur} depuis {retard}\u00a0: {factures}.\n\nMerci de régler cette somme sous huit jours. {iban}\n\nUne difficulté, un désaccord\u00a0? Répondez-nous\u00a0: un échéancier est possible.',
      source: 'Texte du produit',
    },
  ]),
  'reminder.text3': defineSetting('Lettre\u00a0: mise en demeure', LetterText, [
    {
      from: DEFAULT_START_DAY,
      value:
        '{acheteur},\n\nnos courriers sont restés sans effet. Par la présente, datée du {date}, nous vous mettons en demeure de régler à {vendeur} la somme de {montant}, due depuis {retard}\u00a0: {factures}.\n\nÀ défaut de paiement dans les quinze jours, le recouvrement pourra être demandé en justice. {iban}',
      source: 'Texte du produit\u00a0; Code civil, articles 1231 et 1344',
    },
  ]),
  'reminder.text4': defineSetting('Lettre\u00a0: dossier', LetterText, [
    {
      from: DEFAULT_START_DAY,
      value:
        'Dossier établi le {date}. {acheteur} doit {montant} à {vendeur}, depuis {retard}\u00a0: {factures}. Les relances envoyées et restées sans effet figurent ci-après.',
      source: 'Texte du produit',
    },
  ]),
  'recovery.indemnityCents': defineSetting(
    'Indemnité de recouvrement, professionnels (centimes)',
    Cents.min(0).max(100_000),
    [{ from: DEFAULT_START_DAY, value: 4000, source: 'Code de commerce, article D. 441-5' }],
  ),
  'recovery.rateBp': defineSetting('Taux des pénalités de retard, professionnels', BasisPoints, [
    { from: DEFAULT_START_DAY, value: 1000, source: 'Code de commerce, article L. 441-10\u00a0: BCE + 10 points' },
    { from: '2024-07-01', value: 1425, source: 'Taux BCE 4,25 % + 10 points' },
    { from: '2025-01-01', value: 1315, source: 'Taux BCE 3,15 % + 10 points' },
    { from: '2025-07-01', value: 1215, source: 'Taux BCE 2,15 % + 10 points\u00a0; semestres suivants à confirmer' },
  ]),
  'statement.whenFree': defineSetting('Un document à 0 € est un relevé, pas une facture', z.boolean(), [
    { from: DEFAULT_START_DAY, value: true, source: 'Choix du produit' },
  ]),
  'duty.movementDays': defineSetting(
    'Entrées, sorties et clés\u00a0: jours avant l’effet pour prévenir le distributeur',
    Days,
    [{ from: DEFAULT_START_DAY, value: 15, source: 'Modèle de convention Enedis-FOR-CF_01E, à confirmer' }],
  ),
  'duty.coefficientDays': defineSetting(
    'Coefficients dynamiques\u00a0: jours après la fin du mois pour les transmettre',
    Days,
    [{ from: DEFAULT_START_DAY, value: 5, source: 'Modèle de convention Enedis-FOR-CF_01E, à confirmer' }],
  ),
  'duty.consentDays': defineSetting('Consentements\u00a0: jours avant leur fin pour les renouveler', Days, [
    { from: DEFAULT_START_DAY, value: 30, source: 'Choix du produit' },
  ]),
  'duty.vatDay': defineSetting('Déclaration de TVA\u00a0: jour du mois suivant', z.int().min(1).max(28), [
    { from: DEFAULT_START_DAY, value: 24, source: 'Régime réel normal, calendrier du redevable à confirmer' },
  ]),
  'duty.yearlyDays': defineSetting('Bilan annuel\u00a0: jours après la fin de l’année', Days, [
    { from: DEFAULT_START_DAY, value: 90, source: 'Choix du produit' },
  ]),
  'debit.noticeDays': defineSetting('Prélèvement\u00a0: annonce, jours avant le débit', z.int().min(1).max(60), [
    {
      from: DEFAULT_START_DAY,
      value: 14,
      source: 'Recueil de règles SEPA CORE de l’EPC\u00a0: quatorze jours, sauf accord',
    },
  ]),
  'debit.leadDays': defineSetting(
    'Prélèvement\u00a0: fichier à la banque, jours ouvrés avant',
    z.int().min(1).max(14),
    [{ from: DEFAULT_START_DAY, value: 1, source: 'Recueil de règles SEPA CORE de l’EPC' }],
  ),
  'debit.retryDays': defineSetting('Prélèvement\u00a0: nouvelle présentation après (jours)', z.int().min(1).max(60), [
    { from: DEFAULT_START_DAY, value: 10, source: 'Choix du produit\u00a0: une fois, faute de provision' },
  ]),
  'mandate.lapseMonths': defineSetting('Mandat\u00a0: caduc sans prélèvement depuis (mois)', z.int().min(1).max(36), [
    { from: DEFAULT_START_DAY, value: 36, source: 'Recueil de règles SEPA CORE de l’EPC' },
  ]),
} as const

export type SettingName = keyof typeof SETTING_DEFINITIONS
export type SettingValue<N extends SettingName> = z.output<(typeof SETTING_DEFINITIONS)[N]['value']>
/** Values without a verified source contain this text, and are shown as such until someone gives a source. */
export const isToConfirm = (source: string) => /à confirmer/i.test(source)
export const SETTING_NAMES = Object.keys(SETTING_DEFINITIONS) as [SettingName, ...SettingName[]] // Object.keys forgets them
