import type { ParticipantImportReport, ParticipantLine } from '@voisol/contract/participants'
import { formatFrenchDay } from '@voisol/file-formats/french'
import type { z } from 'zod'
import { requireVisibleOperation } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import type { RouteContext } from '../../../http/route.ts'
import { getToday } from '../../../today.ts'
import { copyForTransfer } from '../../../workers/task.ts'
import { planEnrolment, planExpandedLines, storePlannedLines } from './enrol-participants.ts'
import { loadEnrolmentDataFor } from './enrolment-data.ts'
import {
  type CellIssue,
  getColumnTitle,
  IMPORT_COLUMN_NAMES,
  type ImportColumn,
  type ParsedLine,
} from './parse-participant-file.ts'
import type { PlannedLine } from './plan-enrolment.ts'

type ImportReport = z.infer<typeof ParticipantImportReport>
type ReportLine = ImportReport['lines'][number]
type ImportParticipantsInput = { operationId?: string | undefined; startsOn?: string | undefined; dryRun: boolean }
type ValidLine = ParsedLine & { value: ParticipantLine }

const OUTCOME_LABELS = {
  created: 'Entre dans l’opération',
  updated: 'Déjà dans l’opération\u00a0: mis à jour',
  unchanged: 'Déjà dans l’opération, rien ne change',
} as const

/** The cells of a refused line, each with its errors. */
function toRefusedLine({ line, name, prm, cells }: ParsedLine, faults: CellIssue[]): ReportLine {
  const listMessages = (title: string) => faults.filter((fault) => fault.title === title).map(({ message }) => message)
  const message = faults.map(({ title, message: why }) => `${title}\u00a0: ${why}`).join(' ')
  const absent = faults.map(({ title }) => title).filter((title) => title !== 'Ligne')
  const titles = new Set([...cells.map(({ title }) => title), ...absent])
  const textByTitle = new Map(cells.map(({ title, text }) => [title, text]))
  const cellsWithMessages = [...titles].map((title) => ({
    title,
    text: textByTitle.get(title) ?? '',
    message: listMessages(title).join(' '),
  }))
  return { line, name, prm, outcome: 'refused', message, cells: cellsWithMessages }
}

/** Mentions the known name when the file gives another one, so that a wrong match is noticed. */
function describeOutcome(planned: Exclude<PlannedLine, { outcome: 'refused' }>, name: string): string {
  const { person, outcome, participation } = planned
  const knownAs =
    person.state !== 'new' && person.row.name !== name ? `, rattaché à «\u00a0${person.row.name}\u00a0»` : ''
  const from = outcome === 'created' ? ` le ${formatFrenchDay(participation.row.startsOn)}` : ''
  return `${OUTCOME_LABELS[outcome]}${from}${knownAs}.`
}

function toReportLine(line: ParsedLine, planned: PlannedLine | undefined): ReportLine {
  if (!planned) return toRefusedLine(line, line.faults)
  if (planned.outcome === 'refused') {
    const title = (field: string) =>
      getColumnTitle(IMPORT_COLUMN_NAMES.find((name) => name === field) ?? ('prm' satisfies ImportColumn))
    return toRefusedLine(
      line,
      planned.faults.map(({ field, message }) => ({ title: title(field), message })),
    )
  }
  const { name, prm, line: number, value } = line
  return {
    line: number,
    name,
    prm,
    outcome: planned.outcome,
    message: describeOutcome(planned, name),
    ...(value && { value }),
  }
}

const keepValidLines = (lines: ParsedLine[]) => lines.filter((line): line is ValidLine => line.value !== undefined)
/** The first direction of a battery reports for both. */
const toReportLines = (lines: ParsedLine[], validLines: ValidLine[], planned: PlannedLine[][]) => {
  const byLine = new Map(planned.map(([plan], i) => [validLines[i]?.line, plan]))
  return lines.map((line) => toReportLine(line, byLine.get(line.line)))
}

/** For an operation not created yet: what creating it with these lines would report. */
async function previewImport(
  tx: Db,
  actor: Actor,
  startsOn: string | undefined,
  lines: ParsedLine[],
): Promise<ReportLine[]> {
  const validLines = keepValidLines(lines)
  const operationDates = { id: '', name: 'en préparation', startsOn: startsOn ?? null, endsOn: null }
  const known = await loadEnrolmentDataFor(
    tx,
    actor,
    operationDates,
    validLines.map(({ value }) => value),
  )
  const options = {
    companyId: actor.companyId,
    startsOn: startsOn ?? getToday(),
    numbers: validLines.map(({ line }) => line),
  }
  const planned = planExpandedLines(
    known,
    validLines.map(({ value }) => value),
    options,
  )
  return toReportLines(lines, validLines, planned)
}

/** The default start: today, or the operation's start when later. */
const getDefaultStart = (startsOn: string | null) => (startsOn && startsOn > getToday() ? startsOn : getToday())

async function importIntoOperation(
  tx: Db,
  actor: Actor,
  operationId: string,
  lines: ParsedLine[],
  dryRun: boolean,
): Promise<ReportLine[]> {
  const operation = await requireVisibleOperation(tx, actor, operationId)
  const validLines = keepValidLines(lines)
  const values = validLines.map(({ value }) => value)
  const numbers = validLines.map(({ line }) => line)
  const startsOn = getDefaultStart(operation.startsOn)
  const planned = await planEnrolment(tx, actor, operationId, values, { startsOn, numbers })
  const report = toReportLines(lines, validLines, planned)
  if (!dryRun) await storePlannedLines(tx, actor.companyId, operationId, planned.flat())
  return report
}

const MAX_REFUSED_WITH_CELLS = 100
type ImportContext = Pick<RouteContext, 'db' | 'compute' | 'signal'>

/** Imports all valid lines together and reports the others. A dry run gives the same result and writes nothing. */
export async function importParticipants(
  ctx: ImportContext,
  actor: Actor,
  fileBytes: Uint8Array,
  { operationId, startsOn, dryRun }: ImportParticipantsInput,
) {
  const { db: tx, compute, signal } = ctx
  const bytes = copyForTransfer(fileBytes)
  const options = { companyId: actor.companyId, signal, moved: [bytes.buffer] }
  const parsedLines = await compute('participants.read', bytes, options)
  const lines = operationId
    ? await importIntoOperation(tx, actor, operationId, parsedLines, dryRun)
    : await previewImport(tx, actor, startsOn, parsedLines)
  // A file with many refused lines is corrected in the file itself, so not all cells are returned.
  for (const line of lines.filter(({ outcome }) => outcome === 'refused').slice(MAX_REFUSED_WITH_CELLS))
    delete line.cells
  const number = (outcome: ReportLine['outcome']) => lines.filter((line) => line.outcome === outcome).length
  const counts = { created: number('created'), updated: number('updated'), unchanged: number('unchanged') }
  return { ...counts, refused: number('refused'), lines } satisfies ImportReport
}
