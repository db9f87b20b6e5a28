import { drawBullets, drawHeading, drawParagraph } from './blocks.ts'
import { drawChart } from './chart.ts'
import type { PdfWriter } from './document.ts'
import { formatKwh, formatNumber, formatPercentValue, formatWholeEuros, formatWithUnit } from './figures.ts'
import { COLOURS } from './look.ts'
import { TEXT_STYLES } from './runs.ts'
import { formatPayback, type SimulationReport } from './simulation-data.ts'
import { drawTable } from './table.ts'

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

export function drawHourlySection(
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
