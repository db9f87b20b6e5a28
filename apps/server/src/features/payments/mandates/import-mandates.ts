import { type ImportedMandate, Rum } from '@voisol/contract/mandates'
import { and, asc, eq, ne } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { mandates, participants } from '../../../db/schema/index.ts'
import type { CsvLine } from '../../../files/csv.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import type { Secrets } from '../../../secrets.ts'
import { getToday } from '../../../today.ts'
import { compactIban, decryptIban, findIbanError, participantScope } from '../../energy/participants/index.ts'
import { insertMandate, lockDebtor, recordMandatesSigned } from './change-mandates.ts'
import { requireMandateCreditor } from './mandate-text.ts'

type ParticipantRow = typeof participants.$inferSelect
type NotedMandate = { rum: string; iban: string; signedOn: string }

/** The mandate noted on a participant's page, or a sentence about what it lacks. */
async function parseNotedMandate(
  tx: Db,
  secrets: Secrets,
  participant: ParticipantRow,
): Promise<NotedMandate | string> {
  const rum = Rum.safeParse(participant.mandateReference)
  if (!rum.success) return `RUM\u00a0: ${rum.error.issues[0]?.message}`
  const iban = decryptIban(secrets, participant)
  if (!iban) return 'La fiche n’a pas d’IBAN\u00a0: enregistrez-le, ou faites signer un nouveau mandat.'
  if (!participant.mandateSignedOn)
    return 'La date de signature manque sur la fiche\u00a0: faites signer un nouveau mandat.'
  const own = and(eq(mandates.companyId, participant.companyId), eq(mandates.rum, rum.data))
  if (await tx.$count(mandates, own)) return `La référence ${rum.data} est déjà celle d’un autre mandat.`
  return { rum: rum.data, iban, signedOn: participant.mandateSignedOn }
}

/** Creates mandates from those noted on participants' pages and clears the notes, so that a mandate is stored once. */
export async function importNotedMandates(tx: Db, secrets: Secrets, actor: Actor, creditorId: string) {
  const { companyId } = actor
  await requireMandateCreditor(tx, companyId, creditorId)
  const participantRows = await tx
    .select()
    .from(participants)
    .where(and(participantScope(actor), ne(participants.mandateReference, '')))
    .orderBy(asc(participants.name))
    .for('no key update')
  const lines: ImportedMandate[] = []
  const made: Awaited<ReturnType<typeof insertMandate>>[] = []
  for (const [at, sheet] of participantRows.entries()) {
    const about = { line: at + 1, rum: sheet.mandateReference, participant: sheet.name }
    const ready = await parseNotedMandate(tx, secrets, sheet)
    if (typeof ready === 'string') {
      lines.push({ ...about, outcome: 'refused', message: ready })
      continue
    }
    const { rum, iban, signedOn } = ready
    const whose = { creditorId, participantId: sheet.id, holder: sheet.name.slice(0, 70) }
    const values = { ...whose, rum, signedOn, method: 'import', createdBy: formatActorName(actor) }
    made.push(await insertMandate(tx, secrets, companyId, iban, values))
    await tx
      .update(participants)
      .set({ mandateReference: '', mandateSignedOn: null })
      .where(and(eq(participants.companyId, companyId), eq(participants.id, sheet.id)))
    lines.push({ ...about, outcome: 'added', message: 'Repris.' })
  }
  await recordMandatesSigned(tx, companyId, made)
  const count = (outcome: ImportedMandate['outcome']) => lines.filter((line) => line.outcome === outcome).length
  return { added: count('added'), known: 0, refused: count('refused'), lines }
}

const COLUMN_ALIASES = {
  rum: ['rum', 'referenceuniquedumandat', 'referencedumandat', 'mandat'],
  iban: ['iban', 'compte'],
  signedOn: ['date', 'datedesignature', 'signature', 'signele'],
  participant: ['participant', 'nom', 'client', 'debiteur', 'titulaire', 'email', 'adresseemail'],
  firstUse: ['premierprelevement', 'premiereutilisation', 'premierusage'],
  lastUse: ['dernierprelevement', 'derniereutilisation', 'dernierusage'],
}
type Column = keyof typeof COLUMN_ALIASES
const REQUIRED_COLUMNS: [Column, string][] = [
  ['rum', 'RUM'],
  ['iban', 'IBAN'],
  ['signedOn', 'Date de signature'],
  ['participant', 'Participant'],
]
const normalizeTitle = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z]/g, '')

function buildCellReader(header: CsvLine | undefined) {
  const titles = header?.cells.map(normalizeTitle) ?? []
  const find = (column: Column) => titles.findIndex((title) => COLUMN_ALIASES[column].includes(title))
  const missing = REQUIRED_COLUMNS.filter(([column]) => find(column) < 0).map(([, label]) => label)
  if (missing.length)
    throw fieldError(
      'file',
      `La première ligne nomme les colonnes Participant;RUM;IBAN;Date de signature;Premier prélèvement;Dernier prélèvement. Absente${missing.length > 1 ? 's' : ''}\u00a0: ${missing.join(', ')}.`,
    )
  return (cells: string[], column: Column) => cells[find(column)]?.trim() ?? ''
}

/** 31/12/2025 or 2025-12-31; null when it is not a date. */
function parseDay(text: string): string | null {
  const french = /^(\d{2})[/.-](\d{2})[/.-](\d{4})$/.exec(text)
  const iso = french ? `${french[3]}-${french[2]}-${french[1]}` : text.slice(0, 10)
  try {
    return Temporal.PlainDate.from(iso, { overflow: 'reject' }).toString()
  } catch {
    return null
  }
}

type PeopleIndex = { byName: Map<string, string[]>; byEmail: Map<string, string[]> }
/** The words of a name in sorted order, digits included: people of one building may differ only by those. */
const normalizeName = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .sort()
    .join(' ')
async function loadPeopleIndex(db: Db, actor: Actor): Promise<PeopleIndex> {
  const rows = await db
    .select({ id: participants.id, name: participants.name, email: participants.email })
    .from(participants)
    .where(participantScope(actor))
  const by = (key: (row: (typeof rows)[number]) => string) =>
    new Map([...Map.groupBy(rows, key)].map(([name, own]) => [name, own.map(({ id }) => id)]))
  return { byName: by(({ name }) => normalizeName(name)), byEmail: by(({ email }) => email.toLowerCase()) }
}

type ParsedMandate = { participantId: string; rum: string; iban: string; holder: string; signedOn: string } & {
  firstDebitOn: string | null
  lastDebitOn: string | null
}
type PlannedLine = ImportedMandate & { ready?: ParsedMandate }

type CellReader = (column: Column) => string
function parseLine(cell: CellReader, people: PeopleIndex): ParsedMandate | string {
  const rum = Rum.safeParse(cell('rum'))
  if (!rum.success) return `RUM\u00a0: ${rum.error.issues[0]?.message}`
  const iban = compactIban(cell('iban'))
  const fault = findIbanError(iban)
  if (fault) return `IBAN\u00a0: ${fault}`
  const signedOn = parseDay(cell('signedOn'))
  if (!signedOn || signedOn > getToday())
    return `Date de signature\u00a0: «\u00a0${cell('signedOn')}\u00a0» n’est pas un jour passé, par exemple 18/03/2025.`
  const days = { firstDebitOn: parseDay(cell('firstUse')), lastDebitOn: parseDay(cell('lastUse')) }
  if (cell('firstUse') && !days.firstDebitOn)
    return `Premier prélèvement\u00a0: «\u00a0${cell('firstUse')}\u00a0» n’est pas un jour, par exemple 05/04/2025.`
  const who = cell('participant')
  const [id, other] = people.byEmail.get(who.toLowerCase()) ?? people.byName.get(normalizeName(who)) ?? []
  if (!id) return `Participant\u00a0: «\u00a0${who}\u00a0» n’est ni le nom ni l’adresse d’un participant.`
  if (other)
    return `Participant\u00a0: plusieurs participants s’appellent «\u00a0${who}\u00a0»\u00a0; écrivez son adresse e-mail.`
  const lastDebitOn = days.lastDebitOn ?? days.firstDebitOn
  return {
    participantId: id,
    rum: rum.data,
    iban,
    holder: who.slice(0, 70),
    signedOn,
    firstDebitOn: days.firstDebitOn,
    lastDebitOn,
  }
}

/** What each line would do; a mandate reference that is known already is left unchanged. */
async function planLines(db: Db, actor: Actor, [header, ...lines]: CsvLine[]): Promise<PlannedLine[]> {
  const readCell = buildCellReader(header)
  const people = await loadPeopleIndex(db, actor)
  const known = new Set(
    (await db.select({ rum: mandates.rum }).from(mandates).where(eq(mandates.companyId, actor.companyId))).map(
      ({ rum }) => rum,
    ),
  )
  const seen = new Set<string>()
  return lines.map(({ line, cells }) => {
    const cell: CellReader = (column) => readCell(cells, column)
    const about = { line, rum: cell('rum').slice(0, 60), participant: cell('participant').slice(0, 200) }
    const ready = parseLine(cell, people)
    if (typeof ready === 'string') return { ...about, outcome: 'refused', message: ready }
    if (known.has(ready.rum)) return { ...about, outcome: 'known', message: 'Déjà enregistré\u00a0: laissé tel quel.' }
    if (seen.has(ready.rum) || seen.has(ready.participantId))
      return {
        ...about,
        outcome: 'refused',
        message: 'Cette référence ou ce participant est déjà plus haut dans le fichier.',
      }
    seen.add(ready.rum).add(ready.participantId)
    return { ...about, outcome: 'added', message: 'À reprendre.', ready }
  })
}

type ImportMandatesOptions = { creditorId: string; dryRun: boolean }
/**
 * Imports mandates kept by another product or a bank, with reference and first use; an invalid line does not stop the
 * others.
 */
export async function importMandates(
  tx: Db,
  secrets: Secrets,
  actor: Actor,
  cells: CsvLine[],
  { creditorId, dryRun }: ImportMandatesOptions,
) {
  await requireMandateCreditor(tx, actor.companyId, creditorId)
  const plans = await planLines(tx, actor, cells)
  if (!plans.length) throw fieldError('file', 'Le fichier ne contient aucun mandat sous la ligne de titres.')
  const made: Awaited<ReturnType<typeof insertMandate>>[] = []
  if (!dryRun)
    for (const { ready } of plans) {
      if (!ready) continue
      const { iban, ...values } = ready
      await lockDebtor(tx, actor, values.participantId)
      const more = { creditorId, method: 'import', createdBy: formatActorName(actor) }
      made.push(await insertMandate(tx, secrets, actor.companyId, iban, { ...values, ...more }))
    }
  await recordMandatesSigned(tx, actor.companyId, made)
  const count = (outcome: PlannedLine['outcome']) => plans.filter((plan) => plan.outcome === outcome).length
  const lines = plans.map(({ ready: _, ...line }) =>
    line.outcome === 'added' && !dryRun ? { ...line, message: 'Repris.' } : line,
  )
  return { added: count('added'), known: count('known'), refused: count('refused'), lines }
}
