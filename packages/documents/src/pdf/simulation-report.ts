import { SIMULATOR_CONSTANTS } from '@voisol/energy/simulator'
import { drawBullet, drawBullets, drawHeading, drawOpening, drawParagraph } from './blocks.ts'
import { drawChart, drawRule } from './chart.ts'
import { closePdf, ensureSpace, openPdf, type PdfWriter } from './document.ts'
import {
  formatEuroPricePerKwh,
  formatKwh,
  formatLongDate,
  formatNumber,
  formatPercentValue,
  formatWholeEuros,
  formatWithUnit,
  formatYears,
  pluralize,
} from './pdf-number-formats.ts'
import { formatKwc, type SimulationReport } from './simulation-data.ts'
import { COLOURS } from './style.ts'
import { drawTable, drawTiles, type FigureTile } from './table.ts'
import { parseBoldMarkup, TEXT_STYLES } from './text.ts'

const TITLE = 'Rapport de simulation solaire'

function buildTiles({ quick }: SimulationReport): FigureTile[] {
  const perHome = quick.economiesParLogement
  return [
    {
      label: 'Production annuelle',
      figure: formatNumber(quick.productionAnnuelle),
      unit: 'kWh',
      note: 'première année, sans vieillissement',
    },
    {
      label: 'Taux d’autoconsommation',
      figure: formatNumber(quick.tauxAutoconsommation, 1),
      unit: '%',
      note: `${formatKwh(quick.energieAutoconsommee)} consommés sur place`,
    },
    {
      label: 'Économies annuelles',
      figure: formatNumber(quick.economiesAnnuelles),
      unit: '€',
      note: perHome === null ? 'pour l’ensemble du projet' : `soit ${formatWholeEuros(perHome)} par logement`,
    },
    {
      label: 'Investissement net',
      figure: formatNumber(quick.investissementNet),
      unit: '€',
      note: `aide estimée déduite\u00a0: ${formatWholeEuros(quick.aide)}`,
      colour: COLOURS.night,
    },
    {
      label: 'Retour sur investissement',
      figure: quick.roi === null ? '–' : formatNumber(quick.roi, 1),
      unit: quick.roi === null ? '' : pluralize(quick.roi, 'an'),
      note: quick.roi === null ? 'aucune économie à mettre en face' : 'à économies constantes',
      colour: COLOURS.night,
    },
    {
      label: 'CO₂ évité',
      figure: formatNumber(quick.co2Evite),
      unit: 'kg par an',
      note: 'par l’énergie consommée sur place',
      colour: COLOURS.surplus,
    },
  ]
}

function describeResult({ quick, power }: SimulationReport): string {
  if (power === 0) return 'Aucune puissance n’a été indiquée\u00a0: les chiffres de ce rapport sont donc à zéro.'
  const start = `Une installation de **${formatKwc(power)}** produirait environ **${formatKwh(quick.productionAnnuelle)}** par an.`
  const used = `**${formatPercentValue(quick.tauxAutoconsommation)}** de cette énergie seraient consommés par les participants, ce qui éviterait d’acheter pour **${formatWholeEuros(quick.economiesAnnuelles)}** d’électricité chaque année.`
  if (quick.roi === null) return `${start} ${used}`
  const last = quick.projection.at(-1)
  const after = last
    ? ` Au bout de ${SIMULATOR_CONSTANTS.years} ans, le bilan serait de **${formatWholeEuros(last.bilan)}**.`
    : ''
  return `${start} ${used} L’investissement, de **${formatWholeEuros(quick.investissementNet)}** après aide estimée, serait remboursé en **${formatYears(quick.roi)}**.${after}`
}

function drawDataSection(sheet: PdfWriter, { project, place, building, homes, power, consumption }: SimulationReport) {
  drawHeading(sheet, 2, 'Les données du projet')
  drawTable(
    sheet,
    [
      { head: '', part: 22 },
      { head: '', part: 30 },
      { head: '', part: 22 },
      { head: '', part: 26 },
    ],
    [
      [
        'Type de projet',
        parseBoldMarkup(`**${project}**`, TEXT_STYLES.cell),
        'Puissance installée',
        parseBoldMarkup(`**${formatKwc(power)}**`, TEXT_STYLES.cell),
      ],
      [
        'Localisation',
        parseBoldMarkup(`**${place}**`, TEXT_STYLES.cell),
        'Consommation annuelle',
        parseBoldMarkup(`**${formatKwh(consumption)}**`, TEXT_STYLES.cell),
      ],
      [
        'Type de bâtiment',
        parseBoldMarkup(`**${building}**`, TEXT_STYLES.cell),
        'Nombre de logements',
        parseBoldMarkup(`**${homes > 0 ? formatNumber(homes) : 'Non précisé'}**`, TEXT_STYLES.cell),
      ],
    ],
  )
}

function formatRateFormula({ power, consumption }: SimulationReport): string {
  const { baseRate, rateSlope, highestRate } = SIMULATOR_CONSTANTS
  const cap = `au plus ${formatPercentValue(highestRate, 0)}`
  if (consumption === 0) return `${baseRate} + puissance ÷ consommation × ${rateSlope}, ${cap}`
  return `${baseRate} + (${formatNumber(power)} ÷ ${formatNumber(consumption)}) × ${rateSlope}, ${cap}`
}

const formatPayback = (roi: number | null) => (roi === null ? 'Non atteint' : formatYears(roi))

function buildFormulaRows(report: SimulationReport): string[][] {
  const { quick, power } = report
  const s = SIMULATOR_CONSTANTS
  return [
    [
      'Production annuelle',
      `${formatKwc(power)} × ${formatWithUnit(formatNumber(s.kwhPerKwc), 'kWh par kWc')}`,
      formatKwh(quick.productionAnnuelle),
    ],
    ['Taux d’autoconsommation', formatRateFormula(report), formatPercentValue(quick.tauxAutoconsommation)],
    ['Énergie autoconsommée', 'production × taux d’autoconsommation', formatKwh(quick.energieAutoconsommee)],
    [
      'Économies annuelles',
      `énergie autoconsommée × ${formatEuroPricePerKwh(s.eurosPerKwh)}`,
      formatWholeEuros(quick.economiesAnnuelles),
    ],
    [
      'Investissement brut',
      `${formatKwc(power)} × ${formatWithUnit(formatNumber(s.eurosPerKwc), '€ par kWc')}`,
      formatWholeEuros(quick.investissementBrut),
    ],
    [
      'Aide publique estimée',
      `${formatPercentValue(s.subsidyPercent, 0)} de l’investissement, au plus ${formatWholeEuros(s.subsidyCap)}`,
      formatWholeEuros(quick.aide),
    ],
    ['Investissement net', 'investissement brut − aide estimée', formatWholeEuros(quick.investissementNet)],
    ['Retour sur investissement', 'investissement net ÷ économies annuelles', formatPayback(quick.roi)],
    [
      'CO₂ évité',
      `énergie autoconsommée × ${formatWithUnit(formatNumber(s.kgCo2PerKwh, 3), 'kg par kWh')}`,
      `${formatWithUnit(formatNumber(quick.co2Evite), 'kg')} par an`,
    ],
  ]
}

function drawFormulaSection(sheet: PdfWriter, report: SimulationReport) {
  drawHeading(sheet, 2, 'Comment ces chiffres sont obtenus', { keep: 140 })
  drawParagraph(
    sheet,
    'Chaque résultat vient d’une formule simple, que chacun peut refaire à la main. Les constantes sont des ordres de grandeur, utiles pour situer un projet avant son étude.',
    { look: TEXT_STYLES.quiet },
  )
  drawTable(
    sheet,
    [
      { head: 'Résultat', part: 28 },
      { head: 'Calcul', part: 50 },
      { head: 'Valeur', part: 22, align: 'end' },
    ],
    buildFormulaRows(report),
    { pad: 3 },
  )
}

/** The report of a simulation, for a co-ownership that votes on a study. */
export async function buildSimulationPdf(report: SimulationReport): Promise<Uint8Array> {
  const { project, place, power, createdAt } = report
  const sheet = openPdf({ title: TITLE, subject: `${project}, ${formatKwc(power)}`, createdAt })
  const known = [project, place].filter((value) => value !== 'Non précisé')
  drawOpening(sheet, TITLE, [...known, formatKwc(power)].join(' · '), `Établi le ${formatLongDate(createdAt)}`)
  drawTiles(sheet, buildTiles(report), 3, 12)
  drawParagraph(sheet, parseBoldMarkup(describeResult(report), { ...TEXT_STYLES.body, size: 10.5 }), {
    look: { ...TEXT_STYLES.body, size: 10.5 },
    after: 2,
  })
  drawDataSection(sheet, report)
  drawFormulaSection(sheet, report)
  drawProjectionSection(sheet, report)
  if (report.hourly) drawHourlySection(sheet, report, report.hourly)
  drawClosingSections(sheet)
  return closePdf(sheet, { title: TITLE })
}

const MONTH_LABELS = ['janv.', 'févr.', 'mars', 'avr.', 'mai', 'juin', 'juil.', 'août', 'sept.', 'oct.', 'nov.', 'déc.']

function drawComparison(
  sheet: PdfWriter,
  { quick, consumption }: SimulationReport,
  hourly: NonNullable<SimulationReport['hourly']>,
) {
  const kilos = (value: number) => formatWithUnit(formatNumber(value), 'kg')
  const covered = consumption > 0 ? formatPercentValue((quick.energieAutoconsommee / consumption) * 100) : '–'
  drawTable(
    sheet,
    [
      { head: '', part: 40 },
      { head: 'Formule rapide', part: 30, align: 'end' },
      { head: 'Bilan horaire', part: 30, align: 'end' },
    ],
    [
      ['Production annuelle', formatKwh(quick.productionAnnuelle), formatKwh(hourly.productionAnnuelle)],
      [
        'Taux d’autoconsommation',
        formatPercentValue(quick.tauxAutoconsommation),
        formatPercentValue(hourly.tauxAutoconsommation),
      ],
      [
        'Part de la consommation couverte',
        covered,
        consumption > 0 ? formatPercentValue(hourly.tauxAutoproduction) : '–',
      ],
      ['Énergie autoconsommée', formatKwh(quick.energieAutoconsommee), formatKwh(hourly.energieAutoconsommee)],
      ['Surplus', formatKwh(quick.productionAnnuelle - quick.energieAutoconsommee), formatKwh(hourly.surplus)],
      ['Économies annuelles', formatWholeEuros(quick.economiesAnnuelles), formatWholeEuros(hourly.economiesAnnuelles)],
      ['Retour sur investissement', formatPayback(quick.roi), formatPayback(hourly.roi)],
      ['CO₂ évité par an', kilos(quick.co2Evite), kilos(hourly.co2Evite)],
    ],
    { pad: 3 },
  )
}

function drawHourlySection(
  sheet: PdfWriter,
  report: SimulationReport,
  hourly: NonNullable<SimulationReport['hourly']>,
) {
  drawHeading(sheet, 2, 'Le même projet, heure par heure', { keep: 220 })
  drawParagraph(
    sheet,
    `La formule rapide ignore à quel moment l’énergie est produite et consommée. Ce second calcul fait le bilan des ${formatNumber(8760)} heures d’une année type, avec le soleil de ${hourly.city}, un toit orienté au sud et incliné de ${hourly.tilt}\u00a0degrés, et un profil de consommation propre au projet.`,
    { look: TEXT_STYLES.quiet },
  )
  drawComparison(sheet, report, hourly)
  drawHeading(sheet, 3, 'Mois par mois', { keep: 170 })
  drawChart(sheet, {
    series: [
      { label: 'Production', values: hourly.months.map(({ production }) => production), colour: COLOURS.sun },
      {
        label: 'Autoconsommation',
        values: hourly.months.map(({ autoconsommation }) => autoconsommation),
        colour: COLOURS.surplus,
      },
      { label: 'Consommation', values: hourly.months.map(({ consommation }) => consommation), colour: COLOURS.night },
    ],
    names: MONTH_LABELS,
    unit: 'kWh',
    height: 150,
    alt: `Énergie de chaque mois\u00a0: production de ${formatKwh(hourly.months[5]?.production ?? 0)} en juin et de ${formatKwh(hourly.months[11]?.production ?? 0)} en décembre.`,
  })
  drawHeading(sheet, 3, 'Pourquoi les deux calculs diffèrent')
  drawBullets(sheet, hourly.differences)
}

function describeProjection({ quick }: SimulationReport): string {
  if (quick.investissementBrut === 0) return 'Sans puissance installée, il n’y a rien à projeter.'
  const last = quick.projection.at(-1)
  if (!last || quick.roi === null) return 'Sans économies, le bilan reste celui de l’investissement.'
  const turn =
    quick.roi > SIMULATOR_CONSTANTS.years
      ? `L’investissement n’est pas remboursé en ${SIMULATOR_CONSTANTS.years} ans.`
      : `Le bilan devient positif au bout de ${formatYears(quick.roi)}.`
  return `${turn} La projection répète chaque année les économies de la première\u00a0: ni hausse du prix de l’électricité, ni vieillissement des panneaux, ni entretien.`
}

function drawProjectionSection(sheet: PdfWriter, report: SimulationReport) {
  const { quick } = report
  const { projection, roi } = quick
  const last = projection.at(-1)?.bilan ?? 0
  const empty = report.power === 0
  drawHeading(sheet, 2, `Projection sur ${SIMULATOR_CONSTANTS.years} ans`, { keep: empty ? 20 : 330 })
  drawParagraph(sheet, describeProjection(report), { look: TEXT_STYLES.quiet })
  if (empty) return
  const within = roi !== null && roi <= SIMULATOR_CONSTANTS.years
  drawChart(sheet, {
    series: [
      {
        label: 'Bilan cumulé',
        values: projection.map(({ bilan }) => bilan),
        colour: COLOURS.sun,
        negative: COLOURS.grid,
      },
    ],
    names: projection.map(({ annee }) => String(annee)),
    unit: '€',
    height: 310,
    alt: `Bilan cumulé de chaque année\u00a0: de ${formatWholeEuros(projection[0]?.bilan ?? 0)} la première à ${formatWholeEuros(last)} la ${SIMULATOR_CONSTANTS.years}e.`,
    ...(within && { mark: { at: roi, text: `remboursé en ${formatYears(roi)}` } }),
  })
  const half = SIMULATOR_CONSTANTS.years / 2
  const cells = (at: number) => {
    const year = projection[at]
    return year ? [String(year.annee), formatNumber(year.economiesCumulees), formatNumber(year.bilan)] : ['', '', '']
  }
  const columns = [
    { head: 'Année', part: 7 },
    { head: 'Économies cumulées (€)', part: 25, align: 'end' as const },
    { head: 'Bilan (€)', part: 15, align: 'end' as const },
  ]
  const gap = { head: '', part: 3 }
  const rows = Array.from({ length: half }, (_, at) => [...cells(at), '', ...cells(at + half)])
  drawTable(sheet, [...columns, gap, ...columns], rows, { pad: 4.5 })
}

const LIMITS = [
  '**Le toit.** L’orientation, l’inclinaison, les ombres et l’état de la toiture ne sont pas connus ici. Une visite et un relevé d’ombres peuvent changer la production de plus d’un dixième.',
  '**Les prix.** Le kilowattheure évité est compté à un prix unique. Le vôtre dépend de votre contrat\u00a0; les taxes et l’acheminement restent dus sur l’énergie partagée par le réseau.',
  '**Les coûts.** L’entretien, l’assurance, le remplacement des onduleurs, le raccordement et les frais de gestion de l’opération ne sont pas déduits.',
  '**L’aide.** Elle est estimée\u00a0: son montant dépend de la puissance, du moment de la demande et des dispositifs ouverts.',
  '**La revente.** Le surplus vendu au réseau n’est pas compté dans les économies.',
  '**Le temps.** Les panneaux perdent un peu de leur rendement chaque année et le prix de l’électricité change\u00a0: les deux sont supposés constants.',
]
const STEPS = [
  '**Réunir les données.** Factures d’électricité des parties communes et des volontaires, plan de toiture, avis de l’architecte si l’immeuble est protégé.',
  '**Étudier le projet.** Choisir les toits, mesurer les ombres, relever les courbes de charge avec l’accord de chacun, comparer les clés de répartition.',
  '**Décider ensemble.** Présenter l’étude et les devis à l’assemblée, puis voter.',
  '**Créer la personne morale organisatrice.** Elle réunit producteurs et consommateurs\u00a0; la copropriété ou une association peut tenir ce rôle.',
  '**Signer avec le gestionnaire de réseau.** La convention donne les participants, leurs points de livraison et la clé de répartition.',
  '**Mettre en service et suivre.** Vérifier chaque mois ce que chacun a reçu, et corriger la clé si besoin.',
]
const VOTES = [
  'Le principe d’une opération d’autoconsommation collective dans l’immeuble ou le quartier.',
  'Le mandat donné au syndic ou au porteur du projet pour commander une étude et demander au moins deux devis, avec un budget maximal.',
  'La désignation de la personne morale organisatrice et de qui la représente.',
  'L’usage de la toiture et des parties communes, et le mode de financement.',
  'La clé de répartition de départ et la façon d’en changer.',
]

/** The limits of the figures, and the next steps. */
function drawClosingSections(sheet: PdfWriter) {
  drawHeading(sheet, 2, 'Les limites de cette estimation', { keep: 90 })
  drawBullets(
    sheet,
    LIMITS.map((text) => parseBoldMarkup(text, TEXT_STYLES.body)),
  )
  drawHeading(sheet, 2, 'Les prochaines étapes', { keep: 90 })
  for (const [at, text] of STEPS.entries())
    drawBullet(
      sheet,
      `${at + 1}.`,
      () => drawParagraph(sheet, parseBoldMarkup(text, TEXT_STYLES.body), { after: 3 }),
      TEXT_STYLES.body,
      18,
    )
  drawHeading(sheet, 2, 'Ce qui peut être mis au vote', { keep: 90 })
  drawBullets(sheet, VOTES)
  drawParagraph(
    sheet,
    'La majorité requise dépend de la décision et du règlement de copropriété\u00a0: votre syndic la confirmera avant l’assemblée.',
    {
      look: TEXT_STYLES.quiet,
      after: 14,
    },
  )
  ensureSpace(sheet, 50)
  drawRule(sheet)
  sheet.y += 8
  drawParagraph(
    sheet,
    'Ce rapport est une simulation établie à partir des données saisies par son auteur. Il n’est ni un devis, ni une étude technique, ni un engagement de résultat, et ne remplace pas un conseil juridique, fiscal ou financier.',
    { look: TEXT_STYLES.small },
  )
}
