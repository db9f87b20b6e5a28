import { parseBankFile } from '@voisol/file-formats/bank/bank-file'
import { createBankLineMatcher } from '@voisol/money/bank-matching'
import { expect, test } from 'vitest'
import { measureCpuMs } from '../../../../test/cpu-time.ts'
import { buildCamt053 } from '../../../../test/factories-bank.ts'
import { readTable } from '../../../files/table-file.ts'

const getInvoiceNumber = (at: number) => `SOL2026-${String(at).padStart(5, '0')}`
const getAmountCents = (at: number) => 1237 + (at % 977)
const buildBankFile = (count: number) =>
  buildCamt053({
    entries: Array.from({ length: count }, (_, at) => ({
      amount: getAmountCents(at),
      text: `VIREMENT FACTURE ${getInvoiceNumber(at)}`,
      name: `PAYEUR ${at}`,
      reference: `R${at}`,
    })),
  })
const buildDueItems = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    id: String(at),
    number: getInvoiceNumber(at),
    pair: `p${at}`,
    due: '2026-06-18',
    open: getAmountCents(at),
  }))

/** Reads a statement and finds what each of its lines pays. */
async function readAndMatch(file: Buffer, count: number): Promise<number> {
  const { statements } = await parseBankFile(file, null, readTable)
  const find = createBankLineMatcher({ debits: [], items: buildDueItems(count), payers: [] })
  const lines = statements.flatMap((statement) => statement.lines)
  const found = lines.map(({ label, party, amount, ...more }, at) =>
    find({ ...more, id: String(at), amount, text: label, name: party, account: '' }),
  )
  return found.filter((one) => one?.certain).length
}

/** The least of three: what else the process does meanwhile counts as well. */
const measureBestCpuMs = async (work: () => Promise<void>) =>
  Math.min(await measureCpuMs(work), await measureCpuMs(work), await measureCpuMs(work))

test('ten thousand entries are read and matched in a few seconds, and cost little more each than half as many do', async () => {
  const [half, large] = [buildBankFile(5000), buildBankFile(10_000)]
  await readAndMatch(half, 5000)
  const one = await measureBestCpuMs(async () => expect(await readAndMatch(half, 5000)).toBe(5000))
  const ten = await measureBestCpuMs(async () => expect(await readAndMatch(large, 10_000)).toBe(10_000))
  expect(ten).toBeLessThan(5000)
  expect(ten / Math.max(one, 20)).toBeLessThan(3.5)
})
