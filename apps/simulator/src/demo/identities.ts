import { createHash } from 'node:crypto'
import { drawNoise } from '@voisol/energy/model/random'

/** Fixed ids of the demo company's operations, so that their pages can be linked to. */
export const TILLEULS_ID = '7c1f5a10-3b52-4e0a-9d41-5a2b7c8e1f01'
export const BERGES_ID = '2e84d6b3-91c7-4f5d-8a36-0c9e4b7d2a02'
export const RHONE_SUD_ID = 'b95a3c7e-604d-4281-b7f2-8d13e6a05c03'
export const MONTPLAISIR_ID = '4d0e9b86-c2a5-4b13-a58f-71f6d2c93e04'

/** The same text gives the same id on every machine. */
export function toDemoUuid(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const generateDigits = (text: string, count: number) =>
  Array.from({ length: count }, (_, n) => Math.floor(drawNoise(text, n) * 10)).join('')

/** PRM of one region share their first digits. */
export const generatePrm = (ref: string) => `1914${generateDigits(`prm ${ref}`, 10)}`

/** Nine digits with a valid check digit, in an unassigned range. */
export function generateSiren(ref: string): string {
  const body = `99${generateDigits(`siren ${ref}`, 6)}`
  const sum = [...body].reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return `${body}${(10 - (sum % 10)) % 10}`
}

const METRES_PER_DEGREE = 111_195

export type Coordinates = { latitude: number; longitude: number }

/** A random place within so many metres. */
export function placeNear({ latitude, longitude }: Coordinates, ref: string, metres: number): Coordinates {
  const distance = metres * Math.sqrt(drawNoise(`place ${ref}`, 1))
  const angle = 2 * Math.PI * drawNoise(`place ${ref}`, 2)
  const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6
  return {
    latitude: round(latitude + (distance * Math.cos(angle)) / METRES_PER_DEGREE),
    longitude: round(
      longitude + (distance * Math.sin(angle)) / (METRES_PER_DEGREE * Math.cos((latitude * Math.PI) / 180)),
    ),
  }
}

/** An integer in [low, high]. */
export const pickBetween = (low: number, high: number, ref: string) =>
  low + Math.floor(drawNoise(ref, 7) * (high - low + 1))

/** Millionths that sum to one, in proportion to the weights. */
export function splitMillionths(weights: number[]): number[] {
  const whole = 1_000_000
  const sum = weights.reduce((a, b) => a + b, 0)
  const shares = weights.map((weight) => Math.floor((weight * whole) / sum))
  const left = whole - shares.reduce((a, b) => a + b, 0)
  return shares.map((share, at) => (at < left ? share + 1 : share))
}

const FIRST_NAMES = [
  'Camille',
  'Julien',
  'Nadia',
  'Thomas',
  'Élodie',
  'Mehdi',
  'Chloé',
  'Antoine',
  'Aïcha',
  'Pierre',
  'Manon',
  'Olivier',
  'Leïla',
  'Guillaume',
  'Sarah',
  'Bruno',
  'Fatou',
  'Nicolas',
  'Anaïs',
  'Rachid',
  'Céline',
  'Hervé',
  'Lucie',
  'Samuel',
  'Mireille',
  'Baptiste',
  'Yasmine',
  'Gérard',
  'Noémie',
  'Tiago',
  'Danielle',
  'Rémi',
  'Linh',
  'Vincent',
  'Agathe',
  'Moussa',
  'Catherine',
]
const LAST_NAMES = [
  'Dubois',
  'Faure',
  'Garnier',
  'Chevalier',
  'Perrin',
  'Marchand',
  'Blanc',
  'Guérin',
  'Fontaine',
  'Rousseau',
  'Lambert',
  'Morel',
  'Giraud',
  'Meunier',
  'Barbier',
  'Traoré',
  'Da Silva',
  'Mercier',
  'Colin',
  'Renaud',
  'Picard',
  'Arnaud',
  'Bouvier',
  'Khelifi',
  'Charpentier',
  'Vidal',
  'Lacroix',
  'Berthier',
  'Diallo',
  'Poncet',
  'Jacquet',
  'Tran',
  'Deschamps',
  'Rivoire',
  'Bonnet',
  'Carrel',
  'Ferreira',
  'Gauthier',
  'Chabert',
  'Mansouri',
  'Pelletier',
]

const toAscii = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z]+/g, '-')

export const buildDemoEmail = (firstName: string, lastName: string) =>
  `${toAscii(firstName)}.${toAscii(lastName)}@demo.voisol.fr`

/** Neighbours with distinct names: the lengths of the lists have no common divisor. */
export function createNeighbour(n: number) {
  const firstName = FIRST_NAMES[(n * 5) % FIRST_NAMES.length] ?? ''
  const lastName = LAST_NAMES[(n * 11) % LAST_NAMES.length] ?? ''
  return { kind: 'person' as const, firstName, lastName, email: buildDemoEmail(firstName, lastName) }
}
