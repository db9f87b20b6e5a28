import { CellError, dayCell as day, shown } from '../../../files/cells.ts'
import { fold } from './identity.ts'
import type { Column } from './import-columns.ts'

export { CellError }

/** `1 234,5 kVA` and `1234.5` alike. */
function number(text: string): number {
  const plain = text
    .replace(/[\s\u00a0\u202f]/g, '')
    .replace(/(kva|kwc|kw|°)$/i, '')
    .replace(',', '.')
  const value = Number(plain)
  if (plain === '' || !Number.isFinite(value))
    throw new CellError(`${shown(text)} n’est pas un nombre\u00a0: écrivez par exemple 9 ou 4,5.`)
  return value
}
const thousand = (text: string) => Math.round(number(text) * 1000)

function prm(text: string): string {
  if (/^\d([.,]\d+)?e\+?\d+$/i.test(text))
    throw new CellError(
      `le tableur a arrondi ce PRM en ${shown(text)} et ses derniers chiffres sont perdus\u00a0: mettez la colonne au format Texte, puis saisissez-le de nouveau.`,
    )
  const digits = text.replace(/[\s\u00a0\u202f.-]/g, '')
  if (/^\d{13}$/.test(digits))
    throw new CellError(
      `${shown(text)} n’a que treize chiffres\u00a0: un tableur retire le zéro du début, mettez la colonne au format Texte.`,
    )
  return digits
}

const word =
  <T>(words: Record<string, T>, expected: string) =>
  (text: string) => {
    const found = Object.hasOwn(words, fold(text)) ? words[fold(text)] : undefined
    if (found === undefined) throw new CellError(`${shown(text)} n’est pas reconnu\u00a0: ${expected}.`)
    return found
  }
/** A line of a battery is both its directions. */
export const BATTERY = 'battery'
const DIRECTIONS = {
  consommateur: 'consumption',
  consommatrice: 'consumption',
  consommation: 'consumption',
  soutirage: 'consumption',
  producteur: 'production',
  productrice: 'production',
  production: 'production',
  injection: 'production',
  batterie: BATTERY,
  stockage: BATTERY,
}
const KINDS = {
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
const WINDS = {
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
const wind = word(WINDS, 'écrivez Sud, Sud-Est… ou des degrés depuis le nord (180 est le sud)')
const azimuth = (text: string) => (/\d/.test(text) ? Math.round(number(text)) : wind(text))

/** A spreadsheet drops the zero in front of what looks like a number. */
const padded = (length: number) => (text: string) => {
  const digits = text.replace(/[\s\u00a0\u202f]/g, '')
  return /^\d+$/.test(digits) && digits.length === length - 1 ? `0${digits}` : text
}

export const READERS: Partial<Record<Column, (text: string) => unknown>> = {
  prm,
  postalCode: (text) => padded(5)(text).replace(/\s/g, ''),
  phone: padded(10),
  kind: word(KINDS, 'écrivez Particulier ou Organisation'),
  direction: word(DIRECTIONS, 'écrivez Consommateur ou Producteur, une ligne pour chacun, ou Batterie'),
  segment: (text) => text.toUpperCase(),
  subscribedVa: thousand,
  peakWatts: thousand,
  latitude: number,
  longitude: number,
  azimuth,
  tilt: (text) => Math.round(number(text)),
  startsOn: day,
  endsOn: day,
  agreementSignedOn: day,
  commissionedOn: day,
}
