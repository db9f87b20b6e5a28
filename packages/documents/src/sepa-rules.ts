import { scanXml, unescapeXml } from '@voisol/file-formats/scan-xml'
import { formatDecimal } from './number-and-date-formats.ts'

/** The character set that every SEPA bank accepts: unaccented letters, digits, and a few signs (EPC217-08). */
const ALLOWED = /^[A-Za-z0-9/?:().,'+ -]*$/
const NOT_ALLOWED = /[^A-Za-z0-9/?:().,'+ -]+/g
const ID = /^(?!\/)(?!.*\/\/)(?!.*\/$)[A-Za-z0-9/?:().,'+ -]{1,35}$/

/** Letters that are not a base letter with an accent, and signs replaced by a word. */
const TRANSLITERATIONS: Record<string, string> = {
  œ: 'oe',
  Œ: 'OE',
  æ: 'ae',
  Æ: 'AE',
  ß: 'ss',
  ẞ: 'SS',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'TH',
  ı: 'i',
  '’': "'",
  '‘': "'",
  '–': '-',
  '—': '-',
  '−': '-',
  '&': '+',
  '@': '(at)',
  '€': 'EUR',
  _: '-',
  '«': '',
  '»': '',
  '"': '',
}

/**
 * A text in the SEPA character set: transliterated, other characters removed, cut to length. It neither begins nor ends
 * with a slash, and has no double slash, which banks reserve.
 */
export function toSepaText(text: string, most = 140): string {
  const plain = text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|[&@_"]/gu, (char) => TRANSLITERATIONS[char] ?? ' ')
    .replace(NOT_ALLOWED, ' ')
    .replace(/\/{2,}/g, '/')
    .replace(/ {2,}/g, ' ')
  const bare = (part: string) => part.replace(/^[ /]+|[ /]+$/g, '')
  return bare(bare(plain).slice(0, most))
}

/** Whether a text can be written as it is. */
export const isSepaText = (text: string) => ALLOWED.test(text)
/** A reference that banks return unchanged. */
export const isSepaId = (text: string) => ID.test(text) && text === text.trim()

const MAX_CENTS = 99_999_999_999

/** Cents in the decimal notation of banks; an amount that cannot be transferred is an internal error. */
export function formatSepaAmount(cents: number): string {
  if (!Number.isSafeInteger(cents) || cents < 1 || cents > MAX_CENTS) throw new RangeError(`no sum to move: ${cents}`)
  return formatDecimal(cents, 2)
}

type Sums = { count: number; cents: bigint; saidCount: string; saidSum: string }
const toCents = (text: string) => BigInt(text.replace('.', ''))
const SUM = /^\d{1,9}\.\d{2}$/
const REFERENCES = new Set(['MsgId', 'PmtInfId', 'EndToEndId', 'MndtId'])
const TEXTS = new Set(['Nm', 'Ustrd', 'TwnNm'])

const createEmptySums = (): Sums => ({ count: 0, cents: 0n, saidCount: '', saidSum: '' })
function findSumErrors(where: string, { count, cents: sum, saidCount, saidSum }: Sums): string[] {
  const faults = saidCount === String(count) ? [] : [`${where}: NbOfTxs is ${saidCount}, ${count} are written`]
  return SUM.test(saidSum) && toCents(saidSum) === sum
    ? faults
    : [...faults, `${where}: CtrlSum is ${saidSum}, not ${sum}`]
}

/**
 * Errors of a debit or transfer file, checked before it is given to anybody: counts and sums against the contents,
 * duplicate references, characters that banks refuse. Empty without errors.
 */
export function findPainErrors(xml: string): string[] {
  const faults: string[] = []
  const whole = createEmptySums()
  let batch = createEmptySums()
  const path: string[] = []
  const seen = new Set<string>()
  const readStatedSums = (sums: Sums, name: string, text: string) => {
    if (name === 'NbOfTxs') sums.saidCount = text
    if (name === 'CtrlSum') sums.saidSum = text
  }
  const leaf = (name: string, text: string) => {
    if (REFERENCES.has(name) && !isSepaId(text)) faults.push(`${name}: ${text} is no reference`)
    if (TEXTS.has(name) && (text === '' || !isSepaText(text))) faults.push(`${name}: ${text} has signs no bank takes`)
    if (name === 'EndToEndId' || name === 'PmtInfId') {
      if (seen.has(`${name} ${text}`)) faults.push(`${name}: ${text} is written twice`)
      seen.add(`${name} ${text}`)
    }
    if (name !== 'InstdAmt') return
    if (!SUM.test(text) || toCents(text) === 0n) return void faults.push(`InstdAmt: ${text} is no sum`)
    for (const sums of [whole, batch]) {
      sums.count++
      sums.cents += toCents(text)
    }
  }
  scanXml(xml, {
    open: (name) => {
      path.push(name)
      if (name === 'PmtInf') batch = createEmptySums()
    },
    close: (name, raw) => {
      path.pop()
      const text = unescapeXml(raw)
      const parent = path.at(-1)
      if (parent === 'GrpHdr') readStatedSums(whole, name, text)
      if (parent === 'PmtInf') readStatedSums(batch, name, text)
      leaf(name, text)
      if (name === 'PmtInf') faults.push(...findSumErrors('PmtInf', batch))
    },
  })
  return [...faults, ...findSumErrors('GrpHdr', whole), ...(whole.count === 0 ? ['nothing is written'] : [])]
}
