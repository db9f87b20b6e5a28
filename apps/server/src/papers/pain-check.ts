import { scanXml, unescapeXml } from '../formats/xml.ts'
import { isSepaId, isSepaText } from './sepa-text.ts'

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
