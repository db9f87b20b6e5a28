import { HOLD_WORDS, LEVEL_WORDS, reminders } from '@voisol/contract/reminders'
import type { FastifyInstance } from 'fastify'
import { nameOfActor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { route } from '../../../http/route.ts'
import { euros } from '../../../papers/decimals.ts'
import { today } from '../../../today.ts'
import { buyersOf } from '../parties/parties.ts'
import { claimFees } from './claim.ts'
import { closeHold, listHolds, openHold } from './holds.ts'
import { letterOf, paperName, reminderOf } from './mail.ts'
import { sendReminder, write } from './send.ts'
import { dueToday, isMine, listReminders, sees } from './view.ts'

export function reminderRoutes(app: FastifyInstance) {
  route(app, reminders.due, (_, { db, actor }) => dueToday(db, actor))
  route(app, reminders.list, ({ query }, { db, actor }) => listReminders(db, actor, query))
  route(app, reminders.preview, async ({ query }, { db, actor, secrets }) => {
    if (!(await sees(db, actor, query))) throw new AppError('not-found')
    const { snapshot, level } = await write(db, secrets, actor.companyId, query, today())
    return { ...snapshot, level }
  })
  route(app, reminders.pdf, async ({ params }, { db, actor }) => {
    const row = (await isMine(db, actor, params.id)) && (await reminderOf(db, actor.companyId, params.id))
    if (!row) throw new AppError('not-found')
    return { name: paperName(row), content: await letterOf(db, row) }
  })
  sendRoute(app)
  holdRoutes(app)
}

function sendRoute(app: FastifyInstance) {
  route(app, reminders.send, async ({ body }, { db, actor, secrets, note }) => {
    const { companyId } = actor
    const scene = { companyId, secrets, by: nameOfActor(actor), today: today() }
    const names = await buyersOf(
      db,
      companyId,
      body.accounts.map(({ buyerId }) => buyerId),
    )
    const refused: { buyer: string; why: string }[] = []
    let sent = 0
    for (const account of body.accounts) {
      if (!(await sees(db, actor, account))) throw new AppError('not-found')
      try {
        await sendReminder(db, scene, { ...account, formal: body.formal })
        sent++
      } catch (error) {
        // Found before anything of it is written: the others go.
        if (!(error instanceof AppError)) throw error
        refused.push({ buyer: names.get(account.buyerId)?.name ?? '', why: error.message })
      }
    }
    const first = names.get(body.accounts[0]?.buyerId ?? '')?.name ?? ''
    note({
      target:
        body.accounts.length === 1 ? `${LEVEL_WORDS[body.accounts[0]?.level ?? 1]}, ${first}` : `${sent} relances`,
      detail: { ...body, sent, refused: refused.length },
    })
    return { sent, refused }
  })
  route(app, reminders.claim, async ({ body }, { db, actor, note }) => {
    if (!(await sees(db, actor, body))) throw new AppError('not-found')
    const claimed = await claimFees(db, actor, body)
    note({ target: euros(claimed.indemnity + claimed.interest), detail: { ...body, ...claimed } })
    return claimed
  })
}

function holdRoutes(app: FastifyInstance) {
  route(app, reminders.holds, async ({ query }, { db, actor }) => ({ items: await listHolds(db, actor, query) }))
  route(app, reminders.hold, async ({ body }, { db, actor, note }) => {
    const hold = await openHold(db, actor, body)
    note({ target: `${HOLD_WORDS[hold.kind]}, ${hold.buyer.name}`, detail: body })
    return hold
  })
  route(app, reminders.closeHold, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await closeHold(db, actor, params.id, body)
    note({ target: `${HOLD_WORDS[after.kind]}, ${after.buyer.name}`, detail: { before, after } })
    return after
  })
}
