import { type BankLine, bank } from '@voisol/contract/bank'
import type { FastifyInstance } from 'fastify'
import { handedOver } from '../../../compute/handed-over.ts'
import { nameOfActor } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import { type Context, route } from '../../../http/route.ts'
import { accountOf, addAccount, listAccounts, updateAccount } from '../mandates/mandates.ts'
import { columnsOf, keepColumns } from './columns.ts'
import { listLines } from './lines.ts'
import { acceptLine, candidatesOf, ignoreLine, settleLine, undoLine } from './settle.ts'
import { listStatements } from './statements.ts'
import { takeMessage } from './take.ts'

export function bankRoutes(app: FastifyInstance) {
  accountRoutes(app)
  fileRoutes(app)
  lineRoutes(app)
}

/** The log keeps the end of an account, never the account. */
const facts = ({
  name,
  owner,
  ibanEnd,
  bic,
  ics,
  painVersion,
  firstMarked,
}: Awaited<ReturnType<typeof addAccount>>) => ({
  name,
  owner,
  ibanEnd,
  bic,
  ics,
  painVersion,
  firstMarked,
})

function accountRoutes(app: FastifyInstance) {
  route(app, bank.accounts, async (_, { db, actor }) => ({ items: await listAccounts(db, actor) }))
  route(app, bank.addAccount, async ({ body }, { db, secrets, actor, note }) => {
    const after = await addAccount(db, secrets, actor, body)
    note({ target: after.name, detail: { after: facts(after) } })
    return after
  })
  route(app, bank.updateAccount, async ({ params, body }, { db, secrets, actor, note }) => {
    const { before, after } = await updateAccount(db, secrets, actor, params.id, body)
    note({ target: after.name, detail: { before: facts(before), after: facts(after) } })
    return after
  })
  route(app, bank.columns, async ({ params, body }, { db, actor, note }) => {
    const { companyId } = actor
    const account = await accountOf(db, companyId, params.id)
    note({ target: account.name, detail: { after: body } })
    return keepColumns(db, companyId, account.id, body)
  })
}

function fileRoutes(app: FastifyInstance) {
  route(app, bank.look, async ({ params, upload }, ctx) => {
    const { companyId } = ctx.actor
    const account = await accountOf(ctx.db, companyId, params.id)
    const remembered = await columnsOf(ctx.db, companyId, account.id)
    const asked = { bytes: handedOver(upload), columns: null, look: true as const }
    const read = await ctx.compute('bank.read', asked, { companyId, signal: ctx.signal })
    if (!('look' in read) || !read.look)
      throw fieldError('file', 'Ce fichier n’est pas un tableau\u00a0: il se lit sans nommer de colonnes, importez-le.')
    const there = remembered && [remembered.date, remembered.label].every((title) => read.look?.titles.includes(title))
    return { ...read.look, columns: there ? remembered : read.look.columns, remembered: Boolean(there) }
  })
  route(app, bank.import, ({ params, query, upload }, ctx) => importFile(ctx, params.id, query, upload))
  route(app, bank.statements, async (_, { db, actor }) => ({ items: await listStatements(db, actor.companyId) }))
}

type Named = { name: string; gap?: boolean | undefined }
async function importFile(ctx: Context, id: string, { name, gap }: Named, upload: Uint8Array) {
  const { db, actor, compute, signal } = ctx
  const { companyId } = actor
  const account = await accountOf(db, companyId, id)
  const columns = await columnsOf(db, companyId, id)
  // The thread is given a copy: the file itself is kept.
  const read = await compute('bank.read', { bytes: new Uint8Array(upload), columns }, { companyId, signal })
  if (!('message' in read)) throw new Error('a file was asked for, not its titles')
  const given = { upload: { name, content: upload }, by: nameOfActor(actor), despiteGap: gap }
  const result = await takeMessage(db, ctx, account, read.message, given)
  ctx.note({ target: `${account.name}, ${name}`, detail: { after: { ...result, sentences: result.sentences.length } } })
  return result
}

function noted(ctx: Context, line: BankLine) {
  const { bookedOn, amount, state, settled } = line
  ctx.note({ target: `Mouvement du ${bookedOn}`, detail: { after: { amount, state, settled } } })
  return line
}

function lineRoutes(app: FastifyInstance) {
  route(app, bank.lines, ({ query }, { db, secrets, actor }) => listLines(db, secrets, actor.companyId, query))
  route(app, bank.candidates, ({ params, query }, { db, actor }) =>
    candidatesOf(db, actor.companyId, params.id, query.q),
  )
  route(app, bank.accept, async ({ params, body }, ctx) =>
    noted(ctx, await acceptLine(ctx.db, ctx.secrets, ctx.actor, params.id, body.version)),
  )
  route(app, bank.settle, async ({ params, body }, ctx) =>
    noted(ctx, await settleLine(ctx.db, ctx.secrets, ctx.actor, params.id, body.parts, body.version)),
  )
  route(app, bank.ignore, async ({ params, body }, ctx) =>
    noted(ctx, await ignoreLine(ctx.db, ctx.secrets, ctx.actor, params.id, body)),
  )
  route(app, bank.undo, async ({ params, body }, ctx) =>
    noted(ctx, await undoLine(ctx.db, ctx.secrets, ctx.actor, params.id, body.version)),
  )
}
