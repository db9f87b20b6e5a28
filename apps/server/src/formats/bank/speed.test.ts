import { matcher } from '@voisol/money/match'
import { expect, test } from 'vitest'
import { camt053 } from '../../../test/bank-files.ts'
import { effortOf } from '../../../test/effort.ts'
import { readTable } from '../../files/read-table.ts'
import { readBankFile } from './read.ts'

const numberOf = (at: number) => `SOL2026-${String(at).padStart(5, '0')}`
const centsOf = (at: number) => 1237 + (at % 977)
const fileOf = (count: number) =>
  camt053({
    entries: Array.from({ length: count }, (_, at) => ({
      amount: centsOf(at),
      text: `VIREMENT FACTURE ${numberOf(at)}`,
      name: `PAYEUR ${at}`,
      reference: `R${at}`,
    })),
  })
const itemsOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    id: String(at),
    number: numberOf(at),
    pair: `p${at}`,
    due: '2026-06-18',
    open: centsOf(at),
  }))

/** Reads a statement and finds what each of its lines pays. */
async function settle(file: Buffer, count: number): Promise<number> {
  const { statements } = await readBankFile(file, null, readTable)
  const find = matcher({ debits: [], items: itemsOf(count), payers: [] })
  const lines = statements.flatMap((statement) => statement.lines)
  const found = lines.map(({ label, party, amount, ...more }, at) =>
    find({ ...more, id: String(at), amount, text: label, name: party, account: '' }),
  )
  return found.filter((one) => one?.certain).length
}

/** The least of three: what else the process does meanwhile counts as well. */
const leastOf = async (work: () => Promise<void>) =>
  Math.min(await effortOf(work), await effortOf(work), await effortOf(work))

test('ten thousand entries are read and matched in a few seconds, and cost little more each than half as many do', async () => {
  const [half, large] = [fileOf(5000), fileOf(10_000)]
  await settle(half, 5000)
  const one = await leastOf(async () => expect(await settle(half, 5000)).toBe(5000))
  const ten = await leastOf(async () => expect(await settle(large, 10_000)).toBe(10_000))
  expect(ten).toBeLessThan(5000)
  expect(ten / Math.max(one, 20)).toBeLessThan(3.5)
})
