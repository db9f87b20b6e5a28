import type { ParticipantImportReport, ParticipantLine } from '@voisol/contract/participants'
import type { z } from 'zod'
import { handedOver } from '../../../compute/handed-over.ts'
import { findOperation } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { frenchDay } from '../../../french.ts'
import type { Actor } from '../../../http/actor.ts'
import type { Context } from '../../../http/route.ts'
import { today } from '../../../today.ts'
import { planEnrolment } from './enrol.ts'
import { type Planned, pointKey } from './enrol-plan.ts'
import { storePlan } from './enrol-store.ts'
import { type Column, columnNames, titleOf } from './import-columns.ts'
import type { ReadLine } from './import-read.ts'
import { overlaps } from './periods.ts'

type Report = z.infer<typeof ParticipantImportReport>
type Line = Report['lines'][number]
type Input = { operationId?: string | undefined; dryRun: boolean }
type Good = ReadLine & { value: ParticipantLine }

const OUTCOMES = {
  created: 'Entre dans l’opération',
  updated: 'Déjà dans l’opération\u00a0: mis à jour',
  unchanged: 'Déjà dans l’opération, rien ne change',
} as const

const refused = ({ value: _, ...line }: ReadLine, message: string): Line => ({ ...line, outcome: 'refused', message })

/** Somebody the file names otherwise than they are known: said, so that nobody is taken for another. */
function messageOf(planned: Exclude<Planned, { outcome: 'refused' }>, name: string): string {
  const { person, outcome, participation } = planned
  const known =
    person.state !== 'new' && person.row.name !== name ? `, rattaché à «\u00a0${person.row.name}\u00a0»` : ''
  const from = outcome === 'created' ? ` le ${frenchDay(participation.row.startsOn)}` : ''
  return `${OUTCOMES[outcome]}${from}${known}.`
}

function settled(line: ReadLine, planned: Planned | undefined): Line {
  if (!planned) return refused(line, line.message)
  if (planned.outcome === 'refused') {
    const title = (field: string) => titleOf(columnNames.find((name) => name === field) ?? ('prm' satisfies Column))
    return refused(line, planned.faults.map(({ field, message }) => `${title(field)}\u00a0: ${message}`).join(' '))
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

/** Without an operation nothing is compared but the lines among themselves. */
function onlyRead(lines: ReadLine[]): Line[] {
  const seen = new Map<string, Good[]>()
  return lines.map((line) => {
    const { value } = line
    if (!value) return refused(line, line.message)
    const span = ({ startsOn = '', endsOn = null }: ParticipantLine) => ({ startsOn, endsOn })
    const same = seen.get(pointKey(value)) ?? []
    const twin = same.find((other) => overlaps(span(other.value), span(value)))
    if (twin) return refused(line, `PRM\u00a0: Ce PRM est déjà à la ligne ${twin.line}, pour une période commune.`)
    seen.set(pointKey(value), [...same, { ...line, value }])
    return { line: line.line, name: line.name, prm: line.prm, outcome: 'created', message: 'Ligne lue.', value }
  })
}

/** Somebody whose day of entry is not said comes in today, or when the operation begins. */
const usualStart = (startsOn: string | null) => (startsOn && startsOn > today() ? startsOn : today())

async function enrol(tx: Db, actor: Actor, operationId: string, lines: ReadLine[], dryRun: boolean): Promise<Line[]> {
  const operation = await findOperation(tx, actor, operationId)
  const good = lines.filter((line): line is Good => line.value !== undefined)
  const values = good.map(({ value }) => value)
  const numbers = good.map(({ line }) => line)
  const startsOn = usualStart(operation.startsOn)
  const planned = await planEnrolment(tx, actor, operationId, values, { startsOn, numbers })
  const byLine = new Map(planned.map(([plan], i) => [good[i]?.line, plan]))
  const report = lines.map((line) => settled(line, byLine.get(line.line)))
  if (!dryRun) await storePlan(tx, actor.companyId, operationId, planned.flat())
  return report
}

type Importing = Pick<Context, 'db' | 'compute' | 'signal'>

/** The lines that can be stored are, together; the others are told. A dry run says the same and writes nothing. */
export async function importParticipants(
  ctx: Importing,
  actor: Actor,
  given: Uint8Array,
  { operationId, dryRun }: Input,
) {
  const { db: tx, compute, signal } = ctx
  const bytes = handedOver(given)
  const options = { companyId: actor.companyId, signal, moved: [bytes.buffer] }
  const read = await compute('participants.read', bytes, options)
  const lines = operationId ? await enrol(tx, actor, operationId, read, dryRun) : onlyRead(read)
  const number = (outcome: Line['outcome']) => lines.filter((line) => line.outcome === outcome).length
  const counts = { created: number('created'), updated: number('updated'), unchanged: number('unchanged') }
  return { ...counts, refused: number('refused'), lines } satisfies Report
}
