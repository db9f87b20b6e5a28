import type { BillingDocument } from '@voisol/money/document'
import { explainAllowance, explainLine, explainVat } from '@voisol/money/explain'
import type { MonthInput } from '@voisol/money/input'
import { listLineCells } from '@voisol/money/line-breakdown'
import { computeMonthOutcome } from '@voisol/money/month'
import type { TaskResult } from '../../../workers/task.ts'

type ExplainDocumentInput = { input: MonthInput; seller: string; buyer: string; apart: boolean }

/**
 * One document with the steps of every amount and the days of every line, or nothing when the month has no such
 * document.
 */
export default function computeDocumentExplanation({
  input,
  seller,
  buyer,
  apart,
}: ExplainDocumentInput): TaskResult<ExplainedDocument | undefined> {
  const outcome = computeMonthOutcome(input)
  const documents = outcome.ok ? outcome.month.documents : []
  const found = documents.find((each) => each.seller === seller && each.buyer === buyer && each.apart === apart)
  return { value: found && explainAmounts(input, found) }
}

type ExplainedDocument = ReturnType<typeof explainAmounts>

const explainAmounts = (input: MonthInput, document: BillingDocument) => ({
  document,
  lines: document.lines.map((line) => ({
    steps: explainLine(line),
    days: line.kind === 'energy' ? listLineCells(input, document.seller, line) : [],
  })),
  allowances: document.allowances.map(explainAllowance),
  vat: document.vat.map(explainVat),
})
