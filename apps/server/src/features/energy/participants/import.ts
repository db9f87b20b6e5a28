import type { ParticipantImportReport, ParticipantLine } from '@voisol/contract/participants'
import type { z } from 'zod'
import { handedOver } from '../../../compute/handed-over.ts'
import { findOperation } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { frenchDay } from '../../../french.ts'
import type { Actor } from '../../../http/actor.ts'
import type { Context } from '../../../http/route.ts'
import { today } from '../../../today.ts'
import { planEnrolment, planSides } from './enrol.ts'
import { knownFor } from './enrol-known.ts'
import type { Planned } from './enrol-plan.ts'
import { storePlan } from './enrol-store.ts'
import { type Column, columnNames, titleOf } from './import-columns.ts'
import type { CellFault, ReadLine } from './import-read.ts'

type Report = z.infer<typeof ParticipantImportReport>
type Line = Report['lines'][number]
type Input = { operationId?: string | undefined; startsOn?: string | undefined; dryRun: boolean }
type Good = ReadLine & { value: ParticipantLine }

const OUTCOMES = {
  created: 'Entre dans l’opération',
  updated: 'Déjà dans l’opération\u00a0: mis à jour',
  unchanged: 'Déjà dans l’opération, rien ne change',
} as const

/** With its cells, each beside what is wrong with it. */
function refused({ line, name, prm, cells }: ReadLine, faults: CellFault[]): Line {
  const about = (title: string) => faults.filter((fault) => fault.title === title).map(({ message }) => message)
  const message = faults.map(({ title, message: why }) => `${title}\u00a0: ${why}`).join(' ')
  const absent = faults.map(({ title }) => title).filter((title) => title !== 'Ligne')
  const titles = new Set([...cells.map(({ title }) => title), ...absent])
  const said = new Map(cells.map(({ title, text }) => [title, text]))
  const told = [...titles].map((title) => ({ title, text: said.get(title) ?? '', message: about(title).join(' ') }))
  return { line, name, prm, outcome: 'refused', message, cells: told }
}

/** Somebody the file names otherwise than they are known: said, so that nobody is taken for another. */
function messageOf(planned: Exclude<Planned, { outcome: 'refused' }>, name: string): string {
  const { person, outcome, participation } = planned
  const known =
    person.state !== 'new' && person.row.name !== name ? `, rattaché à «\u00a0${person.row.name}\u00a0»` : ''
  const from = outcome === 'created' ? ` le ${frenchDay(participation.row.startsOn)}` : ''
  return `${OUTCOMES[outcome]}${from}${known}.`
}

function settled(line: ReadLine, planned: Planned | undefined): Line {
  if (!planned) return refused(line, line.faults)
  if (planned.outcome === 'refused') {
    const title = (field: string) => titleOf(columnNames.find((name) => name === field) ?? ('prm' satisfies Column))
    return refused(
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
    message: messageOf(planned, name),
    ...(value && { value }),
  }
}

const readable = (lines: ReadLine[]) => lines.filter((line): line is Good => line.value !== undefined)
/** Of a battery the first direction speaks for both. */
const reported = (lines: ReadLine[], good: Good[], planned: Planned[][]) => {
  const byLine = new Map(planned.map(([plan], i) => [good[i]?.line, plan]))
  return lines.map((line) => settled(line, byLine.get(line.line)))
}

/** For an operation that is being drawn up: what creating it with these lines would say of each. */
async function preview(tx: Db, actor: Actor, startsOn: string | undefined, lines: ReadLine[]): Promise<Line[]> {
  const good = readable(lines)
  const frame = { id: '', name: 'en préparation', startsOn: startsOn ?? null, endsOn: null }
  const known = await knownFor(
    tx,
    actor,
    frame,
    good.map(({ value }) => value),
  )
  const options = {
    companyId: actor.companyId,
    startsOn: startsOn ?? today(),
    numbers: good.map(({ line }) => line),
  }
  const planned = planSides(
    known,
    good.map(({ value }) => value),
    options,
  )
  return reported(lines, good, planned)
}

/** Somebody whose day of entry is not said comes in today, or when the operation begins. */
const usualStart = (startsOn: string | null) => (startsOn && startsOn > today() ? startsOn : today())

async function enrol(tx: Db, actor: Actor, operationId: string, lines: ReadLine[], dryRun: boolean): Promise<Line[]> {
  const operation = await findOperation(tx, actor, operationId)
  const good = readable(lines)
  const values = good.map(({ value }) => value)
  const numbers = good.map(({ line }) => line)
  const startsOn = usualStart(operation.startsOn)
  const planned = await planEnrolment(tx, actor, operationId, values, { startsOn, numbers })
  const report = reported(lines, good, planned)
  if (!dryRun) await storePlan(tx, actor.companyId, operationId, planned.flat())
  return report
}

const MOST_CORRECTED = 100
type Importing = Pick<Context, 'db' | 'compute' | 'signal'>

/** The lines that can be stored are, together; the others are told. A dry run says the same and writes nothing. */
export async function importParticipants(
  ctx: Importing,
  actor: Actor,
  given: Uint8Array,
  { operationId, startsOn, dryRun }: Input,
) {
  const { db: tx, compute, signal } = ctx
  const bytes = handedOver(given)
  const options = { companyId: actor.companyId, signal, moved: [bytes.buffer] }
  const read = await compute('participants.read', bytes, options)
  const lines = operationId
    ? await enrol(tx, actor, operationId, read, dryRun)
    : await preview(tx, actor, startsOn, read)
  // A file that is wrong throughout is corrected as a file: its cells need not all come back.
  for (const line of lines.filter(({ outcome }) => outcome === 'refused').slice(MOST_CORRECTED)) delete line.cells
  const number = (outcome: Line['outcome']) => lines.filter((line) => line.outcome === outcome).length
  const counts = { created: number('created'), updated: number('updated'), unchanged: number('unchanged') }
  return { ...counts, refused: number('refused'), lines } satisfies Report
}
