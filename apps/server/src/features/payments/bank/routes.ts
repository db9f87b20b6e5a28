import { type BankLine, bank } from '@voisol/contract/bank'
import type { FastifyInstance } from 'fastify'
import { formatActorName } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import { addRoute, type RouteContext } from '../../../http/route.ts'
import { copyForTransfer } from '../../../workers/task.ts'
import { addBankAccount, listBankAccounts, loadBankAccount, updateBankAccount } from '../mandates/index.ts'
import {
  acceptBankLine,
  ignoreBankLine,
  listBankLines,
  listBankStatements,
  loadLineCandidates,
  settleBankLine,
  undoBankLine,
} from './bank-lines.ts'
import { importBankMessage, loadBankColumns, saveBankColumns } from './import-bank-statement.ts'

export function registerBankRoutes(app: FastifyInstance) {
  registerBankAccountRoutes(app)
  registerBankFileRoutes(app)
  registerBankLineRoutes(app)
}

/** The audit log keeps the last digits of the IBAN, never the whole IBAN. */
const toAuditDetail = ({
  name,
  owner,
  ibanEnd,
  bic,
  ics,
  painVersion,
  firstMarked,
}: Awaited<ReturnType<typeof addBankAccount>>) => ({
  name,
  owner,
  ibanEnd,
  bic,
  ics,
  painVersion,
  firstMarked,
})

function registerBankAccountRoutes(app: FastifyInstance) {
  addRoute(app, bank.accounts, async (_, { db, actor }) => ({ items: await listBankAccounts(db, actor) }))
  addRoute(app, bank.addAccount, async ({ body }, { db, secrets, actor, note }) => {
    const after = await addBankAccount(db, secrets, actor, body)
    note({ target: after.name, detail: { after: toAuditDetail(after) } })
    return after
  })
  addRoute(app, bank.updateAccount, async ({ params, body }, { db, secrets, actor, note }) => {
    const { before, after } = await updateBankAccount(db, secrets, actor, params.id, body)
    note({ target: after.name, detail: { before: toAuditDetail(before), after: toAuditDetail(after) } })
    return after
  })
  addRoute(app, bank.columns, async ({ params, body }, { db, actor, note }) => {
    const { companyId } = actor
    const account = await loadBankAccount(db, companyId, params.id)
    note({ target: account.name, detail: { after: body } })
    return saveBankColumns(db, companyId, account.id, body)
  })
}

function registerBankFileRoutes(app: FastifyInstance) {
  addRoute(app, bank.look, async ({ params, upload }, ctx) => {
    const { companyId } = ctx.actor
    const account = await loadBankAccount(ctx.db, companyId, params.id)
    const remembered = await loadBankColumns(ctx.db, companyId, account.id)
    const readInput = { bytes: copyForTransfer(upload), columns: null, look: true as const }
    const read = await ctx.compute('bank.read', readInput, { companyId, signal: ctx.signal })
    if (!('look' in read) || !read.look)
      throw fieldError('file', 'Ce fichier n’est pas un tableau\u00a0: il se lit sans nommer de colonnes, importez-le.')
    const columnsPresent =
      remembered && [remembered.date, remembered.label].every((title) => read.look?.titles.includes(title))
    return {
      ...read.look,
      columns: columnsPresent ? remembered : read.look.columns,
      remembered: Boolean(columnsPresent),
    }
  })
  addRoute(app, bank.import, ({ params, query, upload }, ctx) => importBankFile(ctx, params.id, query, upload))
  addRoute(app, bank.statements, async (_, { db, actor }) => ({ items: await listBankStatements(db, actor.companyId) }))
}

type ImportFileQuery = { name: string; gap?: boolean | undefined }
async function importBankFile(ctx: RouteContext, id: string, { name, gap }: ImportFileQuery, upload: Uint8Array) {
  const { db, actor, compute, signal } = ctx
  const { companyId } = actor
  const account = await loadBankAccount(db, companyId, id)
  const columns = await loadBankColumns(db, companyId, id)
  // The worker thread gets a copy, since the upload itself is stored afterwards.
  const read = await compute('bank.read', { bytes: new Uint8Array(upload), columns }, { companyId, signal })
  if (!('message' in read)) throw new Error('a file was asked for, not its titles')
  const options = { upload: { name, content: upload }, by: formatActorName(actor), despiteGap: gap }
  const result = await importBankMessage(db, ctx, account, read.message, options)
  ctx.note({ target: `${account.name}, ${name}`, detail: { after: { ...result, sentences: result.sentences.length } } })
  return result
}

function noteLine(ctx: RouteContext, line: BankLine) {
  const { bookedOn, amount, state, settled } = line
  ctx.note({ target: `Mouvement du ${bookedOn}`, detail: { after: { amount, state, settled } } })
  return line
}

function registerBankLineRoutes(app: FastifyInstance) {
  addRoute(app, bank.lines, ({ query }, { db, secrets, actor }) => listBankLines(db, secrets, actor.companyId, query))
  addRoute(app, bank.candidates, ({ params, query }, { db, actor }) =>
    loadLineCandidates(db, actor.companyId, params.id, query.q),
  )
  addRoute(app, bank.accept, async ({ params, body }, ctx) =>
    noteLine(ctx, await acceptBankLine(ctx.db, ctx.secrets, ctx.actor, params.id, body.version)),
  )
  addRoute(app, bank.settle, async ({ params, body }, ctx) =>
    noteLine(ctx, await settleBankLine(ctx.db, ctx.secrets, ctx.actor, params.id, body.parts, body.version)),
  )
  addRoute(app, bank.ignore, async ({ params, body }, ctx) =>
    noteLine(ctx, await ignoreBankLine(ctx.db, ctx.secrets, ctx.actor, params.id, body)),
  )
  addRoute(app, bank.undo, async ({ params, body }, ctx) =>
    noteLine(ctx, await undoBankLine(ctx.db, ctx.secrets, ctx.actor, params.id, body.version)),
  )
}
