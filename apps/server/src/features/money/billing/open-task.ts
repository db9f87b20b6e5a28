import type { Document } from '@voisol/money/document'
import { explainAllowance, explainLine, explainVat } from '@voisol/money/explain'
import type { MonthInput } from '@voisol/money/input'
import { closeMonth } from '@voisol/money/month'
import { openLine } from '@voisol/money/open-line'
import type { Answer } from '../../../compute/task.ts'

type Asked = { input: MonthInput; seller: string; buyer: string; apart: boolean }

/** One document with the steps of every amount and the days of every line; nothing where the month has no such document. */
export default function openDocument({ input, seller, buyer, apart }: Asked): Answer<Opened | undefined> {
  const outcome = closeMonth(input)
  const documents = outcome.ok ? outcome.month.documents : []
  const found = documents.find((each) => each.seller === seller && each.buyer === buyer && each.apart === apart)
  return { value: found && opened(input, found) }
}

export type Opened = ReturnType<typeof opened>

const opened = (input: MonthInput, document: Document) => ({
  document,
  lines: document.lines.map((line) => ({
    steps: explainLine(line),
    days: line.kind === 'energy' ? openLine(input, document.seller, line) : [],
  })),
  allowances: document.allowances.map(explainAllowance),
  vat: document.vat.map(explainVat),
})
