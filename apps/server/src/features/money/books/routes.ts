import { books } from '@voisol/contract/books'
import type { FastifyInstance } from 'fastify'
import { snapshot } from '../../../db/snapshot.ts'
import { nameOfActor } from '../../../http/actor.ts'
import { route } from '../../../http/route.ts'
import { balanceOf } from './balance.ts'
import { addDoubt, liftDoubt, listDoubts } from './doubts.ts'
import { findEntity } from './entity.ts'
import { listEntries } from './entries.ts'
import { exportFile } from './export.ts'
import { fecOf } from './fec.ts'
import { lockThrough } from './lock.ts'
import { listEntities, listMonths } from './months.ts'
import { addNote, notesOf, openQuestions } from './notes.ts'
import { addProfile, listProfiles, removeProfile, updateProfile } from './profiles.ts'
import { salesFile } from './sales.ts'
import { saveSettings, settingsOf } from './settings.ts'
import { tiesOf } from './ties.ts'

export function bookRoutes(app: FastifyInstance) {
  readRoutes(app)
  fileRoutes(app)
  profileRoutes(app)
  keepRoutes(app)
  noteRoutes(app)
}

function readRoutes(app: FastifyInstance) {
  route(app, books.list, async (_, { db, actor }) => ({ items: await listEntities(db, actor.companyId) }))
  route(app, books.settings, async ({ params }, { db, actor }) =>
    settingsOf(db, await findEntity(db, actor.companyId, params.sellerId)),
  )
  route(app, books.months, async ({ params, query }, { db, actor }) =>
    listMonths(db, await findEntity(db, actor.companyId, params.sellerId), query.year),
  )
  route(app, books.entries, async ({ params, query }, { db, actor }) =>
    listEntries(db, await findEntity(db, actor.companyId, params.sellerId), query),
  )
  route(app, books.balance, async ({ params, query }, { db, actor }) =>
    balanceOf(db, await findEntity(db, actor.companyId, params.sellerId), query.year),
  )
  // Both sides of a control are of one moment: a document issued between them would be a difference that nobody finds.
  route(app, books.ties, ({ params, query }, { db, actor }) =>
    snapshot(db, async (view) => ({
      items: await tiesOf(view, actor, await findEntity(view, actor.companyId, params.sellerId), query.year),
    })),
  )
}

function fileRoutes(app: FastifyInstance) {
  route(app, books.fec, async ({ params, query }, { db, actor }) =>
    fecOf(db, await findEntity(db, actor.companyId, params.sellerId), query.year, query.encoding),
  )
  route(app, books.sales, async ({ params, query }, { db, actor }) =>
    salesFile(db, await findEntity(db, actor.companyId, params.sellerId), query.year, query.format),
  )
  route(app, books.export, async ({ params, query }, { db, actor }) =>
    exportFile(db, await findEntity(db, actor.companyId, params.sellerId), query),
  )
}

function profileRoutes(app: FastifyInstance) {
  route(app, books.profiles, async (_, { db, actor }) => ({ items: await listProfiles(db, actor.companyId) }))
  route(app, books.addProfile, async ({ body }, { db, actor, note }) => {
    note({ target: body.name, detail: body.profile })
    return addProfile(db, actor.companyId, body)
  })
  route(app, books.updateProfile, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await updateProfile(db, actor.companyId, params.id, body)
    note({ target: after.name, detail: { before, after } })
    return after
  })
  route(app, books.removeProfile, async ({ params }, { db, actor, note }) => {
    note({ target: await removeProfile(db, actor.companyId, params.id) })
    return { success: true as const }
  })
}

function keepRoutes(app: FastifyInstance) {
  route(app, books.saveSettings, async ({ params, body }, { db, actor, note }) => {
    const entity = await findEntity(db, actor.companyId, params.sellerId)
    const { before, after } = await saveSettings(db, entity, body)
    note({ target: entity.name, detail: { before, after } })
    return after
  })
  route(app, books.lock, async ({ params, body }, { db, actor, note }) => {
    const entity = await findEntity(db, actor.companyId, params.sellerId)
    const done = await lockThrough(db, entity, body.month, nameOfActor(actor))
    note({ target: `${entity.name}, ${body.month}`, detail: done })
    return done
  })
  route(app, books.doubts, async ({ params }, { db, actor }) => ({
    items: await listDoubts(db, await findEntity(db, actor.companyId, params.sellerId)),
  }))
  route(app, books.addDoubt, async ({ params, body }, { db, actor, note }) => {
    const entity = await findEntity(db, actor.companyId, params.sellerId)
    note({ target: await addDoubt(db, entity, body, nameOfActor(actor)), detail: body })
    return { items: await listDoubts(db, entity) }
  })
  route(app, books.liftDoubt, async ({ params, body }, { db, actor, note }) => {
    const { entity, number } = await liftDoubt(db, actor.companyId, params.id, body.bookedOn, nameOfActor(actor))
    note({ target: number, detail: body })
    return { items: await listDoubts(db, entity) }
  })
}

function noteRoutes(app: FastifyInstance) {
  route(app, books.questions, async (_, { db, actor }) => ({ items: await openQuestions(db, actor.companyId) }))
  route(app, books.notes, async ({ params, query }, { db, actor }) => ({
    items: await notesOf(db, await findEntity(db, actor.companyId, params.sellerId), query.source),
  }))
  route(app, books.addNote, async ({ params, body }, ctx) => {
    const entity = await findEntity(ctx.db, ctx.actor.companyId, params.sellerId)
    ctx.note({ target: await addNote(ctx.db, ctx, ctx.actor, entity, body), detail: { kind: body.kind } })
    return { items: await notesOf(ctx.db, entity, body.source) }
  })
}
