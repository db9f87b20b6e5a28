import { SIMULATOR_CONSTANTS } from '@voisol/energy/simulator'
import { drawHeading, drawParagraph } from './blocks.ts'
import { drawChart } from './chart.ts'
import type { PdfWriter } from './document.ts'
import { formatNumber, formatWholeEuros, formatYears } from './figures.ts'
import { COLOURS } from './look.ts'
import { TEXT_STYLES } from './runs.ts'
import type { SimulationReport } from './simulation-data.ts'
import { drawTable } from './table.ts'

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

export function drawProjectionSection(sheet: PdfWriter, report: SimulationReport) {
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
