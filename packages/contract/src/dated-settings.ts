import { z } from 'zod'
import { BasisPoints, Cents } from './money.ts'
import type { Day } from './primitives.ts'

/** What a letter may name. */
export const LETTER_FIELDS = ['{acheteur}', '{vendeur}', '{montant}', '{factures}', '{date}', '{retard}', '{iban}']
const Sentence = z.string().trim().min(1).max(1000)
const Days = z.int().min(0).max(365)
/** A class of consumers and its rate; `upToVa` is the most a member of it may subscribe, null without a limit. */
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
  .refine((rows) => new Set(rows.map((row) => row.class)).size === rows.length, 'Une classe n’a qu’un tarif.')
const named = (...names: string[]) =>
  Sentence.refine(
    (text) => names.every((name) => text.includes(name)),
    `La mention nomme ${names.join(' et ')}, entre accolades.`,
  )

type Said<V> = { from: z.infer<typeof Day>; value: V; source: string }
/** A letter of the company's: what stands in braces is filled in when it is written. */
const Letter = z
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

const setting = <S extends z.ZodType>(label: string, value: S, said: Said<z.output<S>>[]) => ({ label, value, said })

const ALWAYS = '2020-01-01'
/** Households up to 36 kVA, small businesses up to 250, the others. */
const accise = (households: number, small: number, large: number) => [
  { class: 'ménages', centsPerMwh: households, upToVa: 36_000 },
  { class: 'PME', centsPerMwh: small, upToVa: 250_000 },
  { class: 'haute puissance', centsPerMwh: large, upToVa: null },
]
/**
 * Every legal text, rate, delay and threshold of an invoice, with what holds until a company says otherwise: from which day,
 * and by which source. A figure that a law changes gets another row; nothing that was issued changes.
 */
export const SETTINGS = {
  'quantity.unitWh': setting('Unité facturée (Wh)', z.union([z.literal(1), z.literal(1000)]), [
    { from: ALWAYS, value: 1, source: 'Choix du produit\u00a0: au wattheure' },
  ]),
  'vat.standardRate': setting('Taux normal de TVA', BasisPoints, [
    { from: ALWAYS, value: 2000, source: 'CGI, article 278' },
    { from: '2026-09-01', value: 2000, source: 'CIBS, qui reprend l’article 278 du CGI\u00a0; article à confirmer' },
  ]),
  'accise.thresholdWatts': setting('Puissance à partir de laquelle l’accise est due (W)', z.int().min(0), [
    {
      from: '2025-03-01',
      value: 1_000_000,
      source: 'CIBS, articles L. 312-79 et L. 312-87 (loi n° 2025-127, article 75)',
    },
  ]),
  'accise.rates': setting('Tarifs de l’accise (c€/MWh)', AcciseRates, [
    { from: '2024-01-01', value: accise(2100, 2050, 2050), source: 'Tarifs de 2024, texte à confirmer' },
    { from: '2025-02-01', value: accise(3370, 2623, 2250), source: 'Tarifs au 1er février 2025, texte à confirmer' },
    { from: '2025-08-01', value: accise(2998, 2579, 2579), source: 'Tarifs au 1er août 2025, texte à confirmer' },
    {
      from: '2026-02-01',
      value: accise(3085, 2658, 2658),
      source: 'Tarifs au 1er février 2026\u00a0; un changement annoncé au 1er août 2026 reste à confirmer',
    },
  ]),
  'mention.mandate': setting('Mention\u00a0: facture établie sous mandat', named('{PMO}', '{producteur}'), [
    {
      from: ALWAYS,
      value: 'Facture établie par {PMO} au nom et pour le compte de {producteur}.',
      source: 'CGI, article 289, I, 2',
    },
    {
      from: '2026-09-01',
      value: 'Facture établie par {PMO} au nom et pour le compte de {producteur}.',
      source: 'CIBS, qui reprend l’article 289 du CGI\u00a0; article à confirmer',
    },
  ]),
  'mention.acciseZero': setting('Mention\u00a0: accise à taux nul', Sentence, [
    {
      from: '2025-03-01',
      value:
        'Électricité d’origine renouvelable, produite par une installation de moins de 1 MW et consommée en autoconsommation collective : accise sur l’électricité au tarif nul.',
      source:
        'CIBS, articles L. 312-79 et L. 312-87 (loi n° 2025-127, article 75)\u00a0; conditions et durée à confirmer',
    },
  ]),
  'mention.exempt': setting('Mention\u00a0: franchise de TVA', Sentence, [
    { from: ALWAYS, value: 'TVA non applicable, art. 293 B du CGI', source: 'CGI, article 293 B' },
    {
      from: '2026-09-01',
      value: 'TVA non applicable, art. L. 223-1 du CIBS',
      source:
        'CIBS, articles L. 223-1 et suivants, à confirmer\u00a0; ancienne mention tolérée jusqu’au 31 décembre 2027',
    },
  ]),
  'mention.outside': setting('Mention\u00a0: hors champ de la TVA', Sentence, [
    { from: ALWAYS, value: 'Opération hors champ de la TVA', source: 'CGI, article 256' },
  ]),
  'mention.elsewhere': setting('Mention\u00a0: TVA collectée par le fournisseur', Sentence, [
    { from: ALWAYS, value: 'TVA collectée par le fournisseur', source: 'À confirmer' },
  ]),
  'mention.penalties': setting('Mention\u00a0: pénalités de retard', Sentence, [
    {
      from: ALWAYS,
      value: 'En cas de retard de paiement, pénalités au taux de refinancement de la BCE majoré de 10 points.',
      source: 'Code de commerce, article L. 441-10',
    },
  ]),
  'mention.recovery': setting('Mention\u00a0: indemnité de recouvrement (professionnels)', Sentence, [
    {
      from: ALWAYS,
      value: 'Indemnité forfaitaire pour frais de recouvrement : 40 €.',
      source: 'Code de commerce, article D. 441-5',
    },
  ]),
  'mention.discount': setting('Mention\u00a0: escompte', Sentence, [
    { from: ALWAYS, value: 'Pas d’escompte pour paiement anticipé.', source: 'Code de commerce, article L. 441-9' },
  ]),
  'mention.category': setting('Mention\u00a0: nature de l’opération', Sentence, [
    {
      from: ALWAYS,
      value: 'Catégorie de l’opération : livraison de biens.',
      source: 'CGI, annexe II, article 242 nonies A',
    },
  ]),
  'mention.categoryServices': setting('Mention\u00a0: nature de l’opération, frais seuls', Sentence, [
    {
      from: ALWAYS,
      value: 'Catégorie de l’opération : prestation de services.',
      source: 'CGI, annexe II, article 242 nonies A',
    },
  ]),
  'mention.categoryMixed': setting('Mention\u00a0: nature de l’opération, énergie et frais', Sentence, [
    {
      from: ALWAYS,
      value: 'Catégorie de l’opération : livraison de biens et prestation de services.',
      source: 'CGI, annexe II, article 242 nonies A',
    },
  ]),
  'mention.complement': setting('Mention\u00a0: complément de fourniture', Sentence, [
    {
      from: ALWAYS,
      value: 'Le complément est facturé par votre fournisseur.',
      source: 'Code de l’énergie, article L. 315-4',
    },
  ]),
  'due.days': setting('Échéance\u00a0: jours après l’émission', Days, [
    { from: ALWAYS, value: 15, source: 'Choix du produit' },
  ]),
  'due.daysBusiness': setting('Échéance la plus longue\u00a0: professionnels', Days, [
    { from: ALWAYS, value: 60, source: 'Code de commerce, article L. 441-10' },
  ]),
  'due.daysPublic': setting('Échéance la plus longue\u00a0: personnes publiques', Days, [
    { from: ALWAYS, value: 30, source: 'Code de la commande publique, article R. 2192-10' },
  ]),
  'correction.heldCents': setting('Régularisation retenue en dessous de (centimes)', Cents.min(0).max(10_000), [
    { from: ALWAYS, value: 50, source: 'Choix du produit' },
  ]),
  'correction.claimMonths': setting('Rien n’est réclamé à un particulier au-delà de (mois)', z.int().min(1).max(60), [
    { from: ALWAYS, value: 14, source: 'Code de la consommation, article L. 224-11' },
  ]),
  'reminder.automatic': setting('Rappels et relances envoyés sans attendre une personne', z.boolean(), [
    { from: ALWAYS, value: false, source: 'Choix du produit\u00a0: quelqu’un relit avant l’envoi' },
  ]),
  'reminder.days1': setting('Rappel\u00a0: jours après l’échéance', Days, [
    { from: ALWAYS, value: 7, source: 'Choix du produit' },
  ]),
  'reminder.days2': setting('Relance\u00a0: jours après l’échéance', Days, [
    { from: ALWAYS, value: 21, source: 'Choix du produit' },
  ]),
  'reminder.days3': setting('Mise en demeure\u00a0: jours après l’échéance', Days, [
    { from: ALWAYS, value: 35, source: 'Choix du produit\u00a0; Code civil, article 1344' },
  ]),
  'reminder.days4': setting('Dossier\u00a0: jours après l’échéance', Days, [
    { from: ALWAYS, value: 60, source: 'Choix du produit' },
  ]),
  'reminder.gapDays': setting('Jours au moins entre deux relances', Days, [
    { from: ALWAYS, value: 7, source: 'Choix du produit' },
  ]),
  'reminder.leastCents': setting('Rien n’est relancé en dessous de (centimes)', Cents.min(0).max(100_000), [
    { from: ALWAYS, value: 500, source: 'Choix du produit' },
  ]),
  'reminder.bankDays': setting('Rien n’est relancé quand le relevé de banque a plus de (jours)', Days, [
    { from: ALWAYS, value: 3, source: 'Choix du produit\u00a0: un paiement peut être arrivé' },
  ]),
  'reminder.text1': setting('Lettre\u00a0: rappel', Letter, [
    {
      from: ALWAYS,
      value:
        'Bonjour {acheteur},\n\nsauf erreur de notre part, {montant} restent à régler à {vendeur}\u00a0: {factures}.\n\nSi votre paiement est parti entre-temps, ne tenez pas compte de ce message. Sinon, merci de virer cette somme en rappelant le numéro de la facture. {iban}',
      source: 'Texte du produit',
    },
  ]),
  'reminder.text2': setting('Lettre\u00a0: relance', Letter, [
    {
      from: ALWAYS,
      value:
        'Bonjour {acheteur},\n\nmalgré notre rappel, {montant} restent dus à {vendeur} depuis {retard}\u00a0: {factures}.\n\nMerci de régler cette somme sous huit jours. {iban}\n\nUne difficulté, un désaccord\u00a0? Répondez-nous\u00a0: un échéancier est possible.',
      source: 'Texte du produit',
    },
  ]),
  'reminder.text3': setting('Lettre\u00a0: mise en demeure', Letter, [
    {
      from: ALWAYS,
      value:
        '{acheteur},\n\nnos courriers sont restés sans effet. Par la présente, datée du {date}, nous vous mettons en demeure de régler à {vendeur} la somme de {montant}, due depuis {retard}\u00a0: {factures}.\n\nÀ défaut de paiement dans les quinze jours, le recouvrement pourra être demandé en justice. {iban}',
      source: 'Texte du produit\u00a0; Code civil, articles 1231 et 1344',
    },
  ]),
  'reminder.text4': setting('Lettre\u00a0: dossier', Letter, [
    {
      from: ALWAYS,
      value:
        'Dossier établi le {date}. {acheteur} doit {montant} à {vendeur}, depuis {retard}\u00a0: {factures}. Les relances envoyées et restées sans effet figurent ci-après.',
      source: 'Texte du produit',
    },
  ]),
  'recovery.indemnityCents': setting(
    'Indemnité de recouvrement, professionnels (centimes)',
    Cents.min(0).max(100_000),
    [{ from: ALWAYS, value: 4000, source: 'Code de commerce, article D. 441-5' }],
  ),
  'recovery.rateBp': setting('Taux des pénalités de retard, professionnels', BasisPoints, [
    { from: ALWAYS, value: 1000, source: 'Code de commerce, article L. 441-10\u00a0: BCE + 10 points' },
    { from: '2024-07-01', value: 1425, source: 'Taux BCE 4,25 % + 10 points' },
    { from: '2025-01-01', value: 1315, source: 'Taux BCE 3,15 % + 10 points' },
    { from: '2025-07-01', value: 1215, source: 'Taux BCE 2,15 % + 10 points\u00a0; semestres suivants à confirmer' },
  ]),
  'statement.whenFree': setting('Un document à 0 € est un relevé, pas une facture', z.boolean(), [
    { from: ALWAYS, value: true, source: 'Choix du produit' },
  ]),
} as const

export type SettingName = keyof typeof SETTINGS
export type SettingValue<N extends SettingName> = z.output<(typeof SETTINGS)[N]['value']>
/** What could not be verified says so, and stays shown until somebody gives a source. */
export const isToConfirm = (source: string) => /à confirmer/i.test(source)
export const SETTING_NAMES = Object.keys(SETTINGS) as [SettingName, ...SettingName[]] // Object.keys forgets them
