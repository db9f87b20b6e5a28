import type { ReadBill } from '@voisol/contract/supplier-bills'

const SUPPLIERS = [
  'EDF',
  'Engie',
  'TotalEnergies',
  'Ekwateur',
  'Enercoop',
  'Octopus Energy',
  'Vattenfall',
  'Ilek',
  'Plüm',
  'Mint Énergie',
  'Ohm Énergie',
  'Alpiq',
  'GreenYellow',
  'Primeo',
  'Volterres',
]
const DATE_PATTERN = String.raw`(\d{1,2})[/.](\d{1,2})[/.](\d{4})`
const NUMBER_PATTERN = String.raw`(-?\s?\d{1,3}(?:[ \u00a0\u202f.]\d{3})+|-?\s?\d+)(?:[,.]\d+)?`

const toValidDay = (day: string, month: string, year: string): string | null => {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const date = new Date(`${text}T12:00:00Z`)
  return Number.isNaN(+date) || date.toISOString().slice(0, 10) !== text ? null : text
}
const getNextDay = (day: string) => new Date(Date.parse(`${day}T12:00:00Z`) + 86_400_000).toISOString().slice(0, 10)

/** « du 01/03/2026 au 31/03/2026 »: the last day is included. */
function parsePeriod(text: string): Pick<ReadBill, 'from' | 'to'> {
  const [, d1 = '', m1 = '', y1 = '', d2 = '', m2 = '', y2 = ''] =
    new RegExp(`du\\s+${DATE_PATTERN}\\s+au\\s+${DATE_PATTERN}`, 'i').exec(text) ?? []
  const [from, last] = [toValidDay(d1, m1, y1), toValidDay(d2, m2, y2)]
  return from && last && from <= last ? { from, to: getNextDay(last) } : { from: null, to: null }
}

/** The whole kWh after one of these words on the same line; a deduction may be printed as negative. */
function parseKwhAfter(text: string, words: string): number | null {
  const found = new RegExp(`(?:${words})[^\\n\\d]{0,80}${NUMBER_PATTERN}\\s*kWh`, 'i').exec(text)
  return found?.[1] === undefined ? null : Math.abs(Number(found[1].replace(/[^\d-]/g, '')))
}

const parsePrm = (text: string) =>
  /(?:PRM|PDL|point de livraison|référence acheminement)[^\d]{0,60}((?:\d[ \u00a0]?){14})/i
    .exec(text)?.[1]
    ?.replace(/\D/g, '') ?? ''

/** Recognises fields in the text of an invoice; the others are left for a person to fill. */
export function parseBillText(text: string): ReadBill {
  const known = SUPPLIERS.find((name) => new RegExp(`(?<![\\p{L}])${name}(?![\\p{L}])`, 'iu').test(text))
  return {
    supplier: known ?? '',
    number: /(?:facture|n°\s*de\s*facture)\s*(?:n°|numéro|:)?\s*:?\s*([A-Z0-9][A-Z0-9/-]{4,30})/i.exec(text)?.[1] ?? '',
    prm: parsePrm(text),
    ...parsePeriod(text),
    deductedKwh: parseKwhAfter(text, 'autoconsommation|autoconsommée?|énergie locale|part locale|autoproduite?'),
    billedKwh: parseKwhAfter(
      text,
      'consommation facturée|énergie facturée|fournie par le réseau|complément|alloproduite?',
    ),
  }
}
