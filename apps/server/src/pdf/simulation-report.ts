import { SIMULATOR_CONSTANTS } from '@voisol/energy/simulator'
import { drawHeading, drawOpening, drawParagraph } from './blocks.ts'
import { closePdf, openPdf, type PdfWriter } from './document.ts'
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
} from './figures.ts'
import { COLOURS } from './look.ts'
import { parseBoldMarkup, TEXT_STYLES } from './runs.ts'
import { formatKwc, formatPayback, type SimulationReport } from './simulation-data.ts'
import { drawHourlySection } from './simulation-hourly.ts'
import { drawClosingSections } from './simulation-next.ts'
import { drawProjectionSection } from './simulation-projection.ts'
import { drawTable } from './table.ts'
import { drawTiles, type FigureTile } from './tiles.ts'

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
