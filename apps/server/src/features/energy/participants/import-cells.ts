import { CellError, parseDayCell as day, quoteCell } from '../../../files/cells.ts'
import { normalizeName } from './identity.ts'
import type { ImportColumn } from './import-columns.ts'

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
export const BATTERY_DIRECTION = 'battery'
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

export const CELL_PARSERS: Partial<Record<ImportColumn, (text: string) => unknown>> = {
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
