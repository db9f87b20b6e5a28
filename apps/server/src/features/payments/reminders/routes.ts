import { HOLD_KIND_LABELS, REMINDER_LEVEL_LABELS, reminders } from '@voisol/contract/reminders'
import { formatEuros } from '@voisol/documents/number-and-date-formats'
import type { FastifyInstance } from 'fastify'
import { formatActorName } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { addRoute } from '../../../http/route.ts'
import { getToday } from '../../../today.ts'
import { loadBuyers } from '../../billing/parties/index.ts'
import { canSeeAccount, canSeeReminder, listReminders, loadDueToday } from './list-reminders.ts'
import { closeHold, listHolds, openHold } from './reminder-holds.ts'
import { buildReminderFileName, findReminder, renderReminderPdf } from './reminder-mail.ts'
import { claimLateFees, draftReminder, sendReminder } from './send-reminder.ts'

export function registerReminderRoutes(app: FastifyInstance) {
  addRoute(app, reminders.due, (_, { db, actor }) => loadDueToday(db, actor))
  addRoute(app, reminders.list, ({ query }, { db, actor }) => listReminders(db, actor, query))
  addRoute(app, reminders.preview, async ({ query }, { db, actor, secrets }) => {
    if (!(await canSeeAccount(db, actor, query))) throw new AppError('not-found')
    const { snapshot, level } = await draftReminder(db, secrets, actor.companyId, query, getToday())
    return { ...snapshot, level }
  })
  addRoute(app, reminders.pdf, async ({ params }, { db, actor }) => {
    const row = (await canSeeReminder(db, actor, params.id)) && (await findReminder(db, actor.companyId, params.id))
    if (!row) throw new AppError('not-found')
    return { name: buildReminderFileName(row), content: await renderReminderPdf(db, row) }
  })
  registerSendRoutes(app)
  registerHoldRoutes(app)
}

function registerSendRoutes(app: FastifyInstance) {
  addRoute(app, reminders.send, async ({ body }, { db, actor, secrets, note }) => {
    const { companyId } = actor
    const context = { companyId, secrets, by: formatActorName(actor), today: getToday() }
    const names = await loadBuyers(
      db,
      companyId,
      body.accounts.map(({ buyerId }) => buyerId),
    )
    const refused: { buyer: string; why: string }[] = []
    let sent = 0
    for (const account of body.accounts) {
      if (!(await canSeeAccount(db, actor, account))) throw new AppError('not-found')
      try {
        await sendReminder(db, context, { ...account, formal: body.formal })
        sent++
      } catch (error) {
        // The error was raised before anything was written, so the other reminders are still sent.
        if (!(error instanceof AppError)) throw error
        refused.push({ buyer: names.get(account.buyerId)?.name ?? '', why: error.message })
      }
    }
    const first = names.get(body.accounts[0]?.buyerId ?? '')?.name ?? ''
    note({
      target:
        body.accounts.length === 1
          ? `${REMINDER_LEVEL_LABELS[body.accounts[0]?.level ?? 1]}, ${first}`
          : `${sent} relances`,
      detail: { ...body, sent, refused: refused.length },
    })
    return { sent, refused }
  })
  addRoute(app, reminders.claim, async ({ body }, { db, actor, note }) => {
    if (!(await canSeeAccount(db, actor, body))) throw new AppError('not-found')
    const claimed = await claimLateFees(db, actor, body)
    note({ target: formatEuros(claimed.indemnity + claimed.interest), detail: { ...body, ...claimed } })
    return claimed
  })
}

function registerHoldRoutes(app: FastifyInstance) {
  addRoute(app, reminders.holds, async ({ query }, { db, actor }) => ({ items: await listHolds(db, actor, query) }))
  addRoute(app, reminders.hold, async ({ body }, { db, actor, note }) => {
    const hold = await openHold(db, actor, body)
    note({ target: `${HOLD_KIND_LABELS[hold.kind]}, ${hold.buyer.name}`, detail: body })
    return hold
  })
  addRoute(app, reminders.closeHold, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await closeHold(db, actor, params.id, body)
    note({ target: `${HOLD_KIND_LABELS[after.kind]}, ${after.buyer.name}`, detail: { before, after } })
    return after
  })
}
