import { books } from '@voisol/contract/books'
import { formatBasisPoints, formatDecimal } from '@voisol/documents/number-and-date-formats'
import { formatFrenchDay } from '@voisol/file-formats/french'
import { getDocumentSign } from '@voisol/money/document'
import type { FastifyInstance } from 'fastify'
import { type Db, readSnapshot } from '../../../db/client.ts'
import type { SpreadsheetCell } from '../../../files/csv.ts'
import { buildTableFile } from '../../../files/table-file.ts'
import { formatActorName } from '../../../http/actor.ts'
import { addRoute } from '../../../http/route.ts'
import { addBookNote, listNotes, listOpenQuestions } from './accountant-questions.ts'
import { getAccountingYear, isInPeriod, loadTrialBalance } from './accounting-year.ts'
import { type Entity, loadBookSettings, loadEntity, loadParties, saveBookSettings } from './book-entity.ts'
import { listEntries } from './book-entries.ts'
import { loadDocumentFacts, type SoldFact } from './book-facts.ts'
import { loadControlTotals } from './control-totals.ts'
import { addDoubt, liftDoubt, listDoubts } from './doubtful-debts.ts'
import {
  addExportProfile,
  buildExportFile,
  listExportProfiles,
  removeExportProfile,
  updateExportProfile,
} from './export-entries.ts'
import { exportFec } from './export-fec.ts'
import { listBookEntities, listBookMonths, lockMonthsThrough } from './lock-months.ts'

export function registerBookRoutes(app: FastifyInstance) {
  registerReadRoutes(app)
  registerFileRoutes(app)
  registerProfileRoutes(app)
  registerWriteRoutes(app)
  registerNoteRoutes(app)
}

function registerReadRoutes(app: FastifyInstance) {
  addRoute(app, books.list, async (_, { db, actor }) => ({ items: await listBookEntities(db, actor.companyId) }))
  addRoute(app, books.settings, async ({ params }, { db, actor }) =>
    loadBookSettings(db, await loadEntity(db, actor.companyId, params.sellerId)),
  )
  addRoute(app, books.months, async ({ params, query }, { db, actor }) =>
    listBookMonths(db, await loadEntity(db, actor.companyId, params.sellerId), query.year),
  )
  addRoute(app, books.entries, async ({ params, query }, { db, actor }) =>
    listEntries(db, await loadEntity(db, actor.companyId, params.sellerId), query),
  )
  addRoute(app, books.balance, async ({ params, query }, { db, actor }) =>
    loadTrialBalance(db, await loadEntity(db, actor.companyId, params.sellerId), query.year),
  )
  // Both sides of a control are read in one snapshot: a document issued between two reads would show as a false
  // difference.
  addRoute(app, books.ties, ({ params, query }, { db, actor }) =>
    readSnapshot(db, async (view) => ({
      items: await loadControlTotals(view, actor, await loadEntity(view, actor.companyId, params.sellerId), query.year),
    })),
  )
}

function registerFileRoutes(app: FastifyInstance) {
  addRoute(app, books.fec, async ({ params, query }, { db, actor }) =>
    exportFec(db, await loadEntity(db, actor.companyId, params.sellerId), query.year, query.encoding),
  )
  addRoute(app, books.sales, async ({ params, query }, { db, actor }) =>
    buildSalesFile(db, await loadEntity(db, actor.companyId, params.sellerId), query.year, query.format),
  )
  addRoute(app, books.export, async ({ params, query }, { db, actor }) =>
    buildExportFile(db, await loadEntity(db, actor.companyId, params.sellerId), query),
  )
}

function registerProfileRoutes(app: FastifyInstance) {
  addRoute(app, books.profiles, async (_, { db, actor }) => ({ items: await listExportProfiles(db, actor.companyId) }))
  addRoute(app, books.addProfile, async ({ body }, { db, actor, note }) => {
    note({ target: body.name, detail: body.profile })
    return addExportProfile(db, actor.companyId, body)
  })
  addRoute(app, books.updateProfile, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await updateExportProfile(db, actor.companyId, params.id, body)
    note({ target: after.name, detail: { before, after } })
    return after
  })
  addRoute(app, books.removeProfile, async ({ params }, { db, actor, note }) => {
    note({ target: await removeExportProfile(db, actor.companyId, params.id) })
    return { success: true as const }
  })
}

function registerWriteRoutes(app: FastifyInstance) {
  addRoute(app, books.saveSettings, async ({ params, body }, { db, actor, note }) => {
    const entity = await loadEntity(db, actor.companyId, params.sellerId)
    const { before, after } = await saveBookSettings(db, entity, body)
    note({ target: entity.name, detail: { before, after } })
    return after
  })
  addRoute(app, books.lock, async ({ params, body }, { db, actor, note }) => {
    const entity = await loadEntity(db, actor.companyId, params.sellerId)
    const done = await lockMonthsThrough(db, entity, body.month, formatActorName(actor))
    note({ target: `${entity.name}, ${body.month}`, detail: done })
    return done
  })
  addRoute(app, books.doubts, async ({ params }, { db, actor }) => ({
    items: await listDoubts(db, await loadEntity(db, actor.companyId, params.sellerId)),
  }))
  addRoute(app, books.addDoubt, async ({ params, body }, { db, actor, note }) => {
    const entity = await loadEntity(db, actor.companyId, params.sellerId)
    note({ target: await addDoubt(db, entity, body, formatActorName(actor)), detail: body })
    return { items: await listDoubts(db, entity) }
  })
  addRoute(app, books.liftDoubt, async ({ params, body }, { db, actor, note }) => {
    const { entity, number } = await liftDoubt(db, actor.companyId, params.id, body.bookedOn, formatActorName(actor))
    note({ target: number, detail: body })
    return { items: await listDoubts(db, entity) }
  })
}

function registerNoteRoutes(app: FastifyInstance) {
  addRoute(app, books.questions, async (_, { db, actor }) => ({ items: await listOpenQuestions(db, actor.companyId) }))
  addRoute(app, books.notes, async ({ params, query }, { db, actor }) => ({
    items: await listNotes(db, await loadEntity(db, actor.companyId, params.sellerId), query.source),
  }))
  addRoute(app, books.addNote, async ({ params, body }, ctx) => {
    const entity = await loadEntity(ctx.db, ctx.actor.companyId, params.sellerId)
    ctx.note({ target: await addBookNote(ctx.db, ctx, ctx.actor, entity, body), detail: { kind: body.kind } })
    return { items: await listNotes(ctx.db, entity, body.source) }
  })
}

const toEuroCell = (cents: number): SpreadsheetCell => Number(formatDecimal(cents, 2))
const computeNet = ({ lines, kind, allowances }: SoldFact, lineKind: 'energy' | 'fee' | 'accise') => {
  const net = lines.filter((line) => line.kind === lineKind).reduce((sum, line) => sum + line.net, 0)
  const allowed = lineKind === 'energy' ? allowances.reduce((sum, { amount }) => sum + amount, 0) : 0
  return getDocumentSign(kind) * (net - allowed)
}

/** The sales journal of a year: a row per document, a column per VAT rate. */
async function buildSalesFile(db: Db, entity: Entity, year: number, format: 'csv' | 'xlsx') {
  const { yearStart } = await loadBookSettings(db, entity)
  const period = getAccountingYear(year, yearStart)
  const facts = (await loadDocumentFacts(db, entity, await loadParties(db, entity.companyId), 'all')).filter(
    ({ issued }) => isInPeriod(period, issued),
  )
  const rates = [
    ...new Set(facts.flatMap(({ vat }) => vat.filter(({ tax }) => tax !== 0).map(({ rate }) => rate))),
  ].sort((a, b) => a - b)
  const computeTax = ({ vat, kind }: SoldFact, rate: number) =>
    getDocumentSign(kind) * vat.filter((group) => group.rate === rate).reduce((sum, { tax }) => sum + tax, 0)
  const header = ['Date', 'Numéro', 'Client', 'Compte', 'Énergie HT (€)', 'Prestations HT (€)', 'Accise (€)']
  const rows = facts.map((fact): SpreadsheetCell[] => [
    formatFrenchDay(fact.issued),
    fact.number,
    fact.buyer.name,
    fact.buyer.code,
    toEuroCell(computeNet(fact, 'energy')),
    toEuroCell(computeNet(fact, 'fee')),
    toEuroCell(computeNet(fact, 'accise')),
    ...rates.map((rate) => toEuroCell(computeTax(fact, rate))),
    toEuroCell(getDocumentSign(fact.kind) * fact.totals.gross),
  ])
  const taxes = rates.map((rate) => `TVA ${formatBasisPoints(rate)} (€)`)
  return buildTableFile(`journal des ventes ${year} ${entity.name}`, format, [...header, ...taxes, 'TTC (€)'], rows)
}
