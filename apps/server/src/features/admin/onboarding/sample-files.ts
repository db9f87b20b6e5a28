import { addDays, dayStart, listDays, stepsOfDay } from '@voisol/energy/calendar'
import { writeCsv } from '../../../files/csv.ts'

const [ROOF, CAMILLE, INES] = ['30001234567890', '19125759625988', '19125759625989']
const SAMPLE_DAYS = 3
const STEP_MINUTES = 60

const toFrenchDate = (day: string) => day.split('-').reverse().join('/')

/** Two fictitious neighbours and a school with solar panels. */
const buildParticipantsCsv = (today: string) => {
  const from = toFrenchDate(addDays(today, -SAMPLE_DAYS))
  return writeCsv(
    [
      'Type',
      'Organisation',
      'Prénom',
      'Nom',
      'E-mail',
      'PRM',
      'Sens',
      'Puissance souscrite (kVA)',
      'Puissance crête (kWc)',
      'Date d’entrée',
    ],
    [
      ['Organisation', 'École d’exemple', '', '', '', ROOF, 'Production', '', '9', from],
      ['Personne', '', 'Camille', 'Exemple', '', CAMILLE, 'Consommation', '6', '', from],
      ['Personne', '', 'Inès', 'Exemple', '', INES, 'Consommation', '6', '', from],
    ],
  )
}

/** A bell curve for the panels, and two homes with morning and evening peaks. */
const getSampleWatts = (at: number) => [
  Math.max(0, 6100 - 190 * (at - 12.5) ** 2),
  at < 6 ? 180 : at > 17 ? 940 : 420,
  at > 6 && at < 9 ? 1150 : 260,
]

const buildCurvesCsv = (today: string) => {
  const rows = listDays(addDays(today, -SAMPLE_DAYS), today).flatMap((day) =>
    Array.from({ length: stepsOfDay(day, STEP_MINUTES) }, (_, at) => [
      new Date((dayStart(day) + at * STEP_MINUTES) * 60_000).toISOString(),
      ...getSampleWatts(at).map((value) => String(Math.round(value))),
    ]),
  )
  return writeCsv(['Début', `${ROOF} (W)`, `${CAMILLE} (W)`, `${INES} (W)`], rows)
}

/** Both files have the same three meters and days: importing one after the other leads to a first allocation. */
export const buildSampleFile = (name: 'participants' | 'curves', today: string) =>
  name === 'participants'
    ? { name: 'exemple-participants.csv', content: buildParticipantsCsv(today) }
    : { name: 'exemple-courbes.csv', content: buildCurvesCsv(today) }
