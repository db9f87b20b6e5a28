import { writeCsv } from '../../../files/csv.ts'
import { writeXlsx, XLSX_TYPE } from '../../../files/xlsx.ts'
import { getColumnTitle, IMPORT_COLUMN_NAMES, type ImportColumn } from './parse-participant-file.ts'

const EXAMPLE_LINES: Partial<Record<ImportColumn, string>>[] = [
  {
    lastName: 'Durand',
    firstName: 'Camille',
    kind: 'Particulier',
    email: 'camille.durand@exemple.fr',
    phone: '06 12 34 56 78',
    address: '12 rue du Soleil',
    postalCode: '69003',
    city: 'Lyon',
    prm: '19125759625988',
    direction: 'Consommateur',
    segment: 'C5',
    subscribedVa: '9',
    startsOn: '01/01/2027',
    latitude: '45,7601',
    longitude: '4,8512',
  },
  {
    name: 'Commune de Bellerive',
    kind: 'Organisation',
    siren: '210 300 217',
    email: 'mairie@exemple.fr',
    phone: '04 70 00 00 00',
    address: '1 place de la Mairie',
    postalCode: '03700',
    city: 'Bellerive',
    prm: '30001234567890',
    direction: 'Producteur',
    segment: 'P4',
    peakWatts: '36,5',
    label: 'Toit de l’école',
    startsOn: '01/01/2027',
    latitude: '46,1167',
    longitude: '3,4031',
    azimuth: 'Sud',
    tilt: '30',
  },
]

/** The header and two example lines. All cells are text, so that a spreadsheet keeps every digit of a PRM. */
export async function buildImportTemplate(format: 'csv' | 'xlsx') {
  const header = IMPORT_COLUMN_NAMES.map(getColumnTitle)
  const rows = EXAMPLE_LINES.map((example) => IMPORT_COLUMN_NAMES.map((column) => example[column] ?? ''))
  const name = `modele-participants.${format}`
  return format === 'csv'
    ? { name, type: 'text/csv; charset=utf-8', content: writeCsv(header, rows) }
    : { name, type: XLSX_TYPE, content: await writeXlsx('Participants', header, rows) }
}
