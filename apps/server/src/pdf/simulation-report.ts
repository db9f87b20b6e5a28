import { SIMULATOR } from '@voisol/energy/simulator'
import { heading, opening, paragraph } from './blocks.ts'
import { closeSheet, openSheet, type Sheet } from './document.ts'
import { euros, kwh, longDate, number, percent, plural, price, withUnit, years } from './figures.ts'
import { COLOURS } from './look.ts'
import { LOOKS, marked } from './runs.ts'
import { kwc, paidBack, type SimulationReport } from './simulation-data.ts'
import { hourlySection } from './simulation-hourly.ts'
import { closingSections } from './simulation-next.ts'
import { projectionSection } from './simulation-projection.ts'
import { table } from './table.ts'
import { type Tile, tiles } from './tiles.ts'

const TITLE = 'Rapport de simulation solaire'

function figures({ quick }: SimulationReport): Tile[] {
  const perHome = quick.economiesParLogement
  return [
    {
      label: 'Production annuelle',
      figure: number(quick.productionAnnuelle),
      unit: 'kWh',
      note: 'première année, sans vieillissement',
    },
    {
      label: 'Taux d’autoconsommation',
      figure: number(quick.tauxAutoconsommation, 1),
      unit: '%',
      note: `${kwh(quick.energieAutoconsommee)} consommés sur place`,
    },
    {
      label: 'Économies annuelles',
      figure: number(quick.economiesAnnuelles),
      unit: '€',
      note: perHome === null ? 'pour l’ensemble du projet' : `soit ${euros(perHome)} par logement`,
    },
    {
      label: 'Investissement net',
      figure: number(quick.investissementNet),
      unit: '€',
      note: `aide estimée déduite\u00a0: ${euros(quick.aide)}`,
      colour: COLOURS.night,
    },
    {
      label: 'Retour sur investissement',
      figure: quick.roi === null ? '–' : number(quick.roi, 1),
      unit: quick.roi === null ? '' : plural(quick.roi, 'an'),
      note: quick.roi === null ? 'aucune économie à mettre en face' : 'à économies constantes',
      colour: COLOURS.night,
    },
    {
      label: 'CO₂ évité',
      figure: number(quick.co2Evite),
      unit: 'kg par an',
      note: 'par l’énergie consommée sur place',
      colour: COLOURS.surplus,
    },
  ]
}

function inWords({ quick, power }: SimulationReport): string {
  if (power === 0) return 'Aucune puissance n’a été indiquée\u00a0: les chiffres de ce rapport sont donc à zéro.'
  const start = `Une installation de **${kwc(power)}** produirait environ **${kwh(quick.productionAnnuelle)}** par an.`
  const used = `**${percent(quick.tauxAutoconsommation)}** de cette énergie seraient consommés par les participants, ce qui éviterait d’acheter pour **${euros(quick.economiesAnnuelles)}** d’électricité chaque année.`
  if (quick.roi === null) return `${start} ${used}`
  const last = quick.projection.at(-1)
  const after = last ? ` Au bout de ${SIMULATOR.years} ans, le bilan serait de **${euros(last.bilan)}**.` : ''
  return `${start} ${used} L’investissement, de **${euros(quick.investissementNet)}** après aide estimée, serait remboursé en **${years(quick.roi)}**.${after}`
}

function dataSection(sheet: Sheet, { project, place, building, homes, power, consumption }: SimulationReport) {
  heading(sheet, 2, 'Les données du projet')
  table(
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
        marked(`**${project}**`, LOOKS.cell),
        'Puissance installée',
        marked(`**${kwc(power)}**`, LOOKS.cell),
      ],
      [
        'Localisation',
        marked(`**${place}**`, LOOKS.cell),
        'Consommation annuelle',
        marked(`**${kwh(consumption)}**`, LOOKS.cell),
      ],
      [
        'Type de bâtiment',
        marked(`**${building}**`, LOOKS.cell),
        'Nombre de logements',
        marked(`**${homes > 0 ? number(homes) : 'Non précisé'}**`, LOOKS.cell),
      ],
    ],
  )
}

function rateFormula({ power, consumption }: SimulationReport): string {
  const { baseRate, rateSlope, highestRate } = SIMULATOR
  const cap = `au plus ${percent(highestRate, 0)}`
  if (consumption === 0) return `${baseRate} + puissance ÷ consommation × ${rateSlope}, ${cap}`
  return `${baseRate} + (${number(power)} ÷ ${number(consumption)}) × ${rateSlope}, ${cap}`
}

function formulaRows(report: SimulationReport): string[][] {
  const { quick, power } = report
  const s = SIMULATOR
  return [
    [
      'Production annuelle',
      `${kwc(power)} × ${withUnit(number(s.kwhPerKwc), 'kWh par kWc')}`,
      kwh(quick.productionAnnuelle),
    ],
    ['Taux d’autoconsommation', rateFormula(report), percent(quick.tauxAutoconsommation)],
    ['Énergie autoconsommée', 'production × taux d’autoconsommation', kwh(quick.energieAutoconsommee)],
    ['Économies annuelles', `énergie autoconsommée × ${price(s.eurosPerKwh)}`, euros(quick.economiesAnnuelles)],
    [
      'Investissement brut',
      `${kwc(power)} × ${withUnit(number(s.eurosPerKwc), '€ par kWc')}`,
      euros(quick.investissementBrut),
    ],
    [
      'Aide publique estimée',
      `${percent(s.subsidyPercent, 0)} de l’investissement, au plus ${euros(s.subsidyCap)}`,
      euros(quick.aide),
    ],
    ['Investissement net', 'investissement brut − aide estimée', euros(quick.investissementNet)],
    ['Retour sur investissement', 'investissement net ÷ économies annuelles', paidBack(quick.roi)],
    [
      'CO₂ évité',
      `énergie autoconsommée × ${withUnit(number(s.kgCo2PerKwh, 3), 'kg par kWh')}`,
      `${withUnit(number(quick.co2Evite), 'kg')} par an`,
    ],
  ]
}

function formulaSection(sheet: Sheet, report: SimulationReport) {
  heading(sheet, 2, 'Comment ces chiffres sont obtenus', { keep: 140 })
  paragraph(
    sheet,
    'Chaque résultat vient d’une formule simple, que chacun peut refaire à la main. Les constantes sont des ordres de grandeur, utiles pour situer un projet avant son étude.',
    { look: LOOKS.quiet },
  )
  table(
    sheet,
    [
      { head: 'Résultat', part: 28 },
      { head: 'Calcul', part: 50 },
      { head: 'Valeur', part: 22, align: 'end' },
    ],
    formulaRows(report),
    { pad: 3 },
  )
}

/** What a co-ownership can be handed before it votes a study. */
export async function simulationReport(report: SimulationReport): Promise<Uint8Array> {
  const { project, place, power, createdAt } = report
  const sheet = openSheet({ title: TITLE, subject: `${project}, ${kwc(power)}`, createdAt })
  const known = [project, place].filter((value) => value !== 'Non précisé')
  opening(sheet, TITLE, [...known, kwc(power)].join(' · '), `Établi le ${longDate(createdAt)}`)
  tiles(sheet, figures(report), 3, 12)
  paragraph(sheet, marked(inWords(report), { ...LOOKS.body, size: 10.5 }), {
    look: { ...LOOKS.body, size: 10.5 },
    after: 2,
  })
  dataSection(sheet, report)
  formulaSection(sheet, report)
  projectionSection(sheet, report)
  if (report.hourly) hourlySection(sheet, report, report.hourly)
  closingSections(sheet)
  return closeSheet(sheet, { title: TITLE })
}
