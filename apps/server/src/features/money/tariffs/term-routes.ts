import { tariffs } from '@voisol/contract/tariffs'
import type { FastifyInstance } from 'fastify'
import { route } from '../../../http/route.ts'
import {
  createDiscount,
  getDiscount,
  listDiscounts,
  orderDiscounts,
  removeDiscount,
  updateDiscount,
} from './discounts.ts'
import { createFee, getFee, listFees, removeFee, updateFee } from './fees.ts'
import { createIndex, getIndex, listIndexes, removeIndex, sayIndex, updateIndex } from './indexes.ts'

const DONE = { success: true as const }

function registerFees(app: FastifyInstance) {
  route(app, tariffs.fees, ({ params }, { db, actor }) => listFees(db, actor, params.id))
  route(app, tariffs.createFee, async ({ params, body }, { db, actor, note }) => {
    const fee = await getFee(db, actor, await createFee(db, actor, params.id, body))
    note({ target: fee.label, detail: { operationId: params.id, after: fee } })
    return fee
  })
  route(app, tariffs.updateFee, async ({ params, body }, { db, actor, note }) => {
    const before = await updateFee(db, actor, params.id, body)
    const after = await getFee(db, actor, params.id)
    note({ target: after.label, detail: { operationId: after.operationId, before, after } })
    return after
  })
  route(app, tariffs.removeFee, async ({ params }, { db, actor, note }) => {
    const before = await removeFee(db, actor, params.id)
    note({ target: before.label, detail: { operationId: before.operationId, before } })
    return DONE
  })
}

function registerDiscounts(app: FastifyInstance) {
  route(app, tariffs.discounts, ({ params }, { db, actor }) => listDiscounts(db, actor, params.id))
  route(app, tariffs.createDiscount, async ({ params, body }, { db, actor, note }) => {
    const discount = await getDiscount(db, actor, await createDiscount(db, actor, params.id, body))
    note({ target: discount.label, detail: { operationId: params.id, after: discount } })
    return discount
  })
  route(app, tariffs.orderDiscounts, async ({ params, body }, { db, actor, note }) => {
    await orderDiscounts(db, actor, params.id, body.ids)
    note({ target: 'Remises', detail: { operationId: params.id } })
    return listDiscounts(db, actor, params.id)
  })
  route(app, tariffs.updateDiscount, async ({ params, body }, { db, actor, note }) => {
    const before = await updateDiscount(db, actor, params.id, body)
    const after = await getDiscount(db, actor, params.id)
    note({ target: after.label, detail: { operationId: after.operationId, before, after } })
    return after
  })
  route(app, tariffs.removeDiscount, async ({ params }, { db, actor, note }) => {
    const before = await removeDiscount(db, actor, params.id)
    note({ target: before.label, detail: { operationId: before.operationId, before } })
    return DONE
  })
}

export function registerTerms(app: FastifyInstance) {
  registerFees(app)
  registerDiscounts(app)
}

export function registerIndexes(app: FastifyInstance) {
  route(app, tariffs.indexes, (_, { db, actor }) => listIndexes(db, actor))
  route(app, tariffs.createIndex, async ({ body }, { db, actor, note }) => {
    const index = await getIndex(db, actor, await createIndex(db, actor, body))
    note({ target: index.name, detail: { after: body } })
    return index
  })
  route(app, tariffs.updateIndex, async ({ params, body }, { db, actor, note }) => {
    const { name, source } = await updateIndex(db, actor, params.id, body)
    note({ target: name, detail: { before: { name, source }, after: body } })
    return getIndex(db, actor, params.id)
  })
  route(app, tariffs.removeIndex, async ({ params }, { db, actor, note }) => {
    const { name, source } = await removeIndex(db, actor, params.id)
    note({ target: name, detail: { before: { name, source } } })
    return DONE
  })
  route(app, tariffs.sayIndex, async ({ params, body }, { db, actor, note }) => {
    const { index, before } = await sayIndex(db, actor, params.id, body)
    note({ target: index.name, detail: { day: body.startsOn, before: before ?? null, after: body.value } })
    return getIndex(db, actor, params.id)
  })
}
