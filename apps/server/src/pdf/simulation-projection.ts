import { SIMULATOR } from '@voisol/energy/simulator'
import { heading, paragraph } from './blocks.ts'
import { chart } from './chart.ts'
import type { Sheet } from './document.ts'
import { euros, number, years } from './figures.ts'
import { COLOURS } from './look.ts'
import { LOOKS } from './runs.ts'
import type { SimulationReport } from './simulation-data.ts'
import { table } from './table.ts'

function inWords({ quick }: SimulationReport): string {
  if (quick.investissementBrut === 0) return 'Sans puissance installée, il n’y a rien à projeter.'
  const last = quick.projection.at(-1)
  if (!last || quick.roi === null) return 'Sans économies, le bilan reste celui de l’investissement.'
  const turn =
    quick.roi > SIMULATOR.years
      ? `L’investissement n’est pas remboursé en ${SIMULATOR.years} ans.`
      : `Le bilan devient positif au bout de ${years(quick.roi)}.`
  return `${turn} La projection répète chaque année les économies de la première\u00a0: ni hausse du prix de l’électricité, ni vieillissement des panneaux, ni entretien.`
}

export function projectionSection(sheet: Sheet, report: SimulationReport) {
  const { quick } = report
  const { projection, roi } = quick
  const last = projection.at(-1)?.bilan ?? 0
  const empty = report.power === 0
  heading(sheet, 2, `Projection sur ${SIMULATOR.years} ans`, { keep: empty ? 20 : 330 })
  paragraph(sheet, inWords(report), { look: LOOKS.quiet })
  if (empty) return
  const within = roi !== null && roi <= SIMULATOR.years
  chart(sheet, {
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
    alt: `Bilan cumulé de chaque année\u00a0: de ${euros(projection[0]?.bilan ?? 0)} la première à ${euros(last)} la ${SIMULATOR.years}e.`,
    ...(within && { mark: { at: roi, text: `remboursé en ${years(roi)}` } }),
  })
  const half = SIMULATOR.years / 2
  const cells = (at: number) => {
    const year = projection[at]
    return year ? [String(year.annee), number(year.economiesCumulees), number(year.bilan)] : ['', '', '']
  }
  const columns = [
    { head: 'Année', part: 7 },
    { head: 'Économies cumulées (€)', part: 25, align: 'end' as const },
    { head: 'Bilan (€)', part: 15, align: 'end' as const },
  ]
  const gap = { head: '', part: 3 }
  const rows = Array.from({ length: half }, (_, at) => [...cells(at), '', ...cells(at + half)])
  table(sheet, [...columns, gap, ...columns], rows, { pad: 4.5 })
}
