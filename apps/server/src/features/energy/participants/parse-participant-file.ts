import { getMissingNameIssue, normalizeName, normalizeNames } from '@voisol/contract/participant-names'
import { ParticipantLine } from '@voisol/contract/participants'
import type { CsvLine } from '../../../files/csv.ts'
import { CellError, parseDayCell as day, quoteCell, readTable } from '../../../files/table-file.ts'
import { fieldError } from '../../../http/errors.ts'

const MAX_IMPORT_LINES = 2000
const MAX_CELL_LENGTH = 500
/** A parsed line of a file, or why it could not be parsed. */
export type ParsedLine = {
  line: number
  name: string
  prm: string
  cells: LineCell[]
  value?: ParticipantLine
  faults: CellIssue[]
}
type LineCell = { title: string; text: string }
export type CellIssue = { title: string; message: string }

/** Removes the quote that our exports add before text that looks like a formula. */
const cleanCell = (cell: string | undefined) => (cell ?? '').replace(/^'(?=[=+\-@])/, '').trim()

function parseLine({ line, cells }: CsvLine, places: Map<ImportColumn, number>): ParsedLine {
  const values: Record<string, unknown> = {}
  const faults: CellIssue[] = []
  for (const [column, at] of places) {
    const text = cleanCell(cells[at])
    if (text === '') continue
    try {
      values[column] = CELL_PARSERS[column]?.(text) ?? text
    } catch (error) {
      if (!(error instanceof CellError)) throw error
      faults.push({ title: getColumnTitle(column), message: error.message })
    }
  }
  const text = (column: ImportColumn) => cleanCell(cells[places.get(column) ?? -1])
  const name = text('name') || `${text('firstName')} ${text('lastName')}`.trim()
  const lineCells = [...places.keys()].map((column) => ({
    title: getColumnTitle(column),
    text: text(column).slice(0, MAX_CELL_LENGTH),
  }))
  const read = { line, name: name.slice(0, 200), prm: text('prm').slice(0, 40), cells: lineCells }
  return validateLine(read, values, faults)
}

function validateLine(
  lineData: Omit<ParsedLine, 'faults'>,
  values: Record<string, unknown>,
  faults: CellIssue[],
): ParsedLine {
  const battery = values.direction === BATTERY_DIRECTION && { direction: 'consumption', storage: true }
  const parsed = ParticipantLine.safeParse({ ...values, ...battery })
  const titlesWithIssue = new Set(faults.map(({ title }) => title))
  for (const { path, message } of parsed.error?.issues ?? []) {
    const column = IMPORT_COLUMN_NAMES.find((name) => name === path[0])
    const title = column ? getColumnTitle(column) : 'Ligne'
    if (!titlesWithIssue.has(title)) faults.push({ title, message })
  }
  const names = parsed.data && normalizeNames(parsed.data)
  if (names && !names.name) faults.push({ title: 'Nom', message: getMissingNameIssue(names.kind).message })
  if (faults.length || !parsed.data) return { ...lineData, faults }
  return { ...lineData, prm: parsed.data.prm, value: parsed.data, faults }
}

/** Reads the lines of a CSV or XLSX file, detected by content. */
export async function parseParticipantFile(bytes: Uint8Array): Promise<ParsedLine[]> {
  const [header, ...lines] = await readTable(bytes)
  const places = parseHeader(header?.cells ?? [])
  if (!lines.length) throw fieldError('file', 'Le fichier ne contient aucun participant sous la ligne de titres.')
  if (lines.length > MAX_IMPORT_LINES)
    throw fieldError(
      'file',
      `Au plus 2\u202f000 lignes par fichier\u00a0: celui-ci en compte ${lines.length.toLocaleString('fr-FR')}.`,
    )
  return lines.map((line) => parseLine(line, places))
}

export { CellError }

/** Accepts `1 234,5 kVA` as well as `1234.5`. */
function parseNumber(text: string): number {
  const plain = text
    .replace(/[\s\u00a0\u202f]/g, '')
    .replace(/(kva|kwc|kw|°)$/i, '')
    .replace(',', '.')
  const value = Number(plain)
  if (plain === '' || !Number.isFinite(value))
    throw new CellError(`${quoteCell(text)} n’est pas un nombre\u00a0: écrivez par exemple 9 ou 4,5.`)
  return value
}
const parseThousands = (text: string) => Math.round(parseNumber(text) * 1000)

function parsePrm(text: string): string {
  if (/^\d([.,]\d+)?e\+?\d+$/i.test(text))
    throw new CellError(
      `le tableur a arrondi ce PRM en ${quoteCell(text)} et ses derniers chiffres sont perdus\u00a0: mettez la colonne au format Texte, puis saisissez-le de nouveau.`,
    )
  const digits = text.replace(/[\s\u00a0\u202f.-]/g, '')
  if (/^\d{13}$/.test(digits))
    throw new CellError(
      `${quoteCell(text)} n’a que treize chiffres\u00a0: un tableur retire le zéro du début, mettez la colonne au format Texte.`,
    )
  return digits
}

const createWordParser =
  <T>(words: Record<string, T>, expected: string) =>
  (text: string) => {
    const found = Object.hasOwn(words, normalizeName(text)) ? words[normalizeName(text)] : undefined
    if (found === undefined) throw new CellError(`${quoteCell(text)} n’est pas reconnu\u00a0: ${expected}.`)
    return found
  }
/** A battery's line stands for both directions. */
const BATTERY_DIRECTION = 'battery'
const DIRECTION_WORDS = {
  consommateur: 'consumption',
  consommatrice: 'consumption',
  consommation: 'consumption',
  soutirage: 'consumption',
  producteur: 'production',
  productrice: 'production',
  production: 'production',
  injection: 'production',
  batterie: BATTERY_DIRECTION,
  stockage: BATTERY_DIRECTION,
}
const KIND_WORDS = {
  particulier: 'person',
  personne: 'person',
  personnephysique: 'person',
  foyer: 'person',
  organisation: 'organisation',
  entreprise: 'organisation',
  societe: 'organisation',
  association: 'organisation',
  collectivite: 'organisation',
  personnemorale: 'organisation',
  professionnel: 'organisation',
}
const COMPASS_DEGREES = {
  nord: 0,
  nordest: 45,
  est: 90,
  sudest: 135,
  sud: 180,
  sudouest: 225,
  ouest: 270,
  nordouest: 315,
  n: 0,
  ne: 45,
  e: 90,
  se: 135,
  s: 180,
  so: 225,
  o: 270,
  no: 315,
}
const parseCompass = createWordParser(
  COMPASS_DEGREES,
  'écrivez Sud, Sud-Est… ou des degrés depuis le nord (180 est le sud)',
)
const parseAzimuth = (text: string) => (/\d/.test(text) ? Math.round(parseNumber(text)) : parseCompass(text))

/** Spreadsheets drop the leading zero of what looks like a number. */
const padWithZero = (length: number) => (text: string) => {
  const digits = text.replace(/[\s\u00a0\u202f]/g, '')
  return /^\d+$/.test(digits) && digits.length === length - 1 ? `0${digits}` : text
}

const CELL_PARSERS: Partial<Record<ImportColumn, (text: string) => unknown>> = {
  prm: parsePrm,
  postalCode: (text) => padWithZero(5)(text).replace(/\s/g, ''),
  phone: padWithZero(10),
  kind: createWordParser(KIND_WORDS, 'écrivez Particulier ou Organisation'),
  direction: createWordParser(
    DIRECTION_WORDS,
    'écrivez Consommateur ou Producteur, une ligne pour chacun, ou Batterie',
  ),
  segment: (text) => text.toUpperCase(),
  subscribedVa: parseThousands,
  peakWatts: parseThousands,
  latitude: parseNumber,
  longitude: parseNumber,
  azimuth: parseAzimuth,
  tilt: (text) => Math.round(parseNumber(text)),
  startsOn: day,
  endsOn: day,
  agreementSignedOn: day,
  commissionedOn: day,
}

/** The columns of a participant file: the label shown, then the accepted header titles, normalised. */
const IMPORT_COLUMNS = {
  lastName: ['Nom', 'nom', 'nomdefamille', 'lastname'],
  firstName: ['Prénom', 'prenom', 'firstname'],
  name: [
    'Organisation',
    'organisation',
    'raisonsociale',
    'societe',
    'entreprise',
    'denomination',
    'structure',
    'nomaffiche',
  ],
  kind: ['Type', 'type', 'nature', 'typedeparticipant'],
  siren: ['SIREN', 'siren', 'numerosiren'],
  email: ['E-mail', 'email', 'mail', 'courriel', 'adresseemail', 'adressemail', 'adressecourriel'],
  phone: ['Téléphone', 'telephone', 'tel', 'mobile', 'portable', 'numerodetelephone'],
  address: ['Adresse', 'adresse', 'adressepostale', 'rue', 'voie'],
  postalCode: ['Code postal', 'codepostal', 'cp'],
  city: ['Ville', 'ville', 'commune', 'localite'],
  prm: [
    'PRM',
    'prm',
    'pdl',
    'prmpdl',
    'pdlprm',
    'numeroprm',
    'numerodeprm',
    'numeropdl',
    'numerodepdl',
    'pointdelivraison',
    'pointdereferencemesure',
  ],
  direction: ['Rôle', 'role', 'sens', 'profil', 'typedepoint'],
  segment: ['Segment', 'segment'],
  subscribedVa: ['Puissance souscrite (kVA)', 'puissancesouscritekva', 'puissancesouscrite', 'kva', 'pskva'],
  peakWatts: [
    'Puissance crête (kWc)',
    'puissancecretekwc',
    'puissancecrete',
    'kwc',
    'puissanceinstalleekwc',
    'puissanceinstallee',
  ],
  startsOn: ['Date d’entrée', 'datedentree', 'entree', 'entreele', 'debut', 'datededebut'],
  endsOn: ['Date de sortie', 'datedesortie', 'sortie', 'sortiele', 'fin', 'datedefin'],
  agreementSignedOn: ['Accord signé le', 'accordsignele', 'datedaccord', 'accorddeparticipation', 'datedelaccord'],
  label: ['Libellé du point', 'libelledupoint', 'libelle', 'nomdupoint'],
  pointAddress: ['Adresse du point', 'adressedupoint', 'adressedepoint', 'adressedupointdelivraison'],
  latitude: ['Latitude', 'latitude', 'lat'],
  longitude: ['Longitude', 'longitude', 'lon', 'lng'],
  azimuth: ['Orientation', 'orientation', 'azimut', 'azimuth'],
  tilt: ['Inclinaison', 'inclinaison', 'pente'],
  commissionedOn: ['Mise en service', 'miseenservice', 'datedemiseenservice'],
  notes: ['Notes', 'notes', 'remarques', 'commentaire', 'commentaires'],
} as const satisfies Record<string, readonly [string, ...string[]]>

export type ImportColumn = keyof typeof IMPORT_COLUMNS
export const IMPORT_COLUMN_NAMES = Object.keys(IMPORT_COLUMNS) as ImportColumn[] // keys of a typed literal
export const getColumnTitle = (column: ImportColumn) => IMPORT_COLUMNS[column][0]

const findColumn = (title: string) =>
  IMPORT_COLUMN_NAMES.find((name) => (IMPORT_COLUMNS[name].slice(1) as string[]).includes(normalizeName(title))) // the first is how it is shown

/** The position of each column; a file needs the PRM and a name. Unknown titles are ignored. */
function parseHeader(cells: string[]): Map<ImportColumn, number> {
  const places = new Map<ImportColumn, number>()
  cells.forEach((title, at) => {
    const column = findColumn(title)
    if (!column) return
    if (places.has(column))
      throw fieldError(
        'file',
        `Deux colonnes s’appellent «\u00a0${getColumnTitle(column)}\u00a0»\u00a0: gardez-en une.`,
      )
    places.set(column, at)
  })
  const missing = [
    ...(places.has('prm') ? [] : ['PRM']),
    ...(places.has('lastName') || places.has('name') ? [] : ['Nom ou Organisation']),
  ]
  if (missing.length)
    throw fieldError(
      'file',
      `La première ligne doit nommer les colonnes, au moins PRM et Nom (ou Organisation). Il manque\u00a0: ${missing.join(', ')}. Le modèle montre les autres.`,
    )
  return places
}
