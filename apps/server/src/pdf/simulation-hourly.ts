import { bullets, heading, paragraph } from './blocks.ts'
import { chart } from './chart.ts'
import type { Sheet } from './document.ts'
import { euros, kwh, number, percent, withUnit } from './figures.ts'
import { COLOURS } from './look.ts'
import { LOOKS } from './runs.ts'
import { paidBack, type SimulationReport } from './simulation-data.ts'
import { table } from './table.ts'

const MONTHS = ['janv.', 'févr.', 'mars', 'avr.', 'mai', 'juin', 'juil.', 'août', 'sept.', 'oct.', 'nov.', 'déc.']

function comparison(
  sheet: Sheet,
  { quick, consumption }: SimulationReport,
  hourly: NonNullable<SimulationReport['hourly']>,
) {
  const kilos = (value: number) => withUnit(number(value), 'kg')
  const covered = consumption > 0 ? percent((quick.energieAutoconsommee / consumption) * 100) : '–'
  table(
    sheet,
    [
      { head: '', part: 40 },
      { head: 'Formule rapide', part: 30, align: 'end' },
      { head: 'Bilan horaire', part: 30, align: 'end' },
    ],
    [
      ['Production annuelle', kwh(quick.productionAnnuelle), kwh(hourly.productionAnnuelle)],
      ['Taux d’autoconsommation', percent(quick.tauxAutoconsommation), percent(hourly.tauxAutoconsommation)],
      ['Part de la consommation couverte', covered, consumption > 0 ? percent(hourly.tauxAutoproduction) : '–'],
      ['Énergie autoconsommée', kwh(quick.energieAutoconsommee), kwh(hourly.energieAutoconsommee)],
      ['Surplus', kwh(quick.productionAnnuelle - quick.energieAutoconsommee), kwh(hourly.surplus)],
      ['Économies annuelles', euros(quick.economiesAnnuelles), euros(hourly.economiesAnnuelles)],
      ['Retour sur investissement', paidBack(quick.roi), paidBack(hourly.roi)],
      ['CO₂ évité par an', kilos(quick.co2Evite), kilos(hourly.co2Evite)],
    ],
    { pad: 3 },
  )
}

export function hourlySection(sheet: Sheet, report: SimulationReport, hourly: NonNullable<SimulationReport['hourly']>) {
  heading(sheet, 2, 'Le même projet, heure par heure', { keep: 220 })
  paragraph(
    sheet,
    `La formule rapide ignore à quel moment l’énergie est produite et consommée. Ce second calcul fait le bilan des ${number(8760)} heures d’une année type, avec le soleil de ${hourly.city}, un toit orienté au sud et incliné de ${hourly.tilt}\u00a0degrés, et un profil de consommation propre au projet.`,
    { look: LOOKS.quiet },
  )
  comparison(sheet, report, hourly)
  heading(sheet, 3, 'Mois par mois', { keep: 170 })
  chart(sheet, {
    series: [
      { label: 'Production', values: hourly.months.map(({ production }) => production), colour: COLOURS.sun },
      {
        label: 'Autoconsommation',
        values: hourly.months.map(({ autoconsommation }) => autoconsommation),
        colour: COLOURS.surplus,
      },
      { label: 'Consommation', values: hourly.months.map(({ consommation }) => consommation), colour: COLOURS.night },
    ],
    names: MONTHS,
    unit: 'kWh',
    height: 150,
    alt: `Énergie de chaque mois\u00a0: production de ${kwh(hourly.months[5]?.production ?? 0)} en juin et de ${kwh(hourly.months[11]?.production ?? 0)} en décembre.`,
  })
  heading(sheet, 3, 'Pourquoi les deux calculs diffèrent')
  bullets(sheet, hourly.differences)
}
