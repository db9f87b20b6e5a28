import { tariffs } from '@voisol/contract/tariffs'
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../../../http/route.ts'
import {
  createDiscount,
  createFee,
  listDiscounts,
  listFees,
  loadDiscount,
  loadFee,
  removeDiscount,
  removeFee,
  reorderDiscounts,
  updateDiscount,
  updateFee,
} from './fees-and-discounts.ts'
import {
  createPriceIndex,
  listPriceIndexes,
  loadPriceIndex,
  recordIndexValue,
  removePriceIndex,
  updatePriceIndex,
} from './price-indexes.ts'

const SUCCESS_REPLY = { success: true as const }

function registerFeeRoutes(app: FastifyInstance) {
  addRoute(app, tariffs.fees, ({ params }, { db, actor }) => listFees(db, actor, params.id))
  addRoute(app, tariffs.createFee, async ({ params, body }, { db, actor, note }) => {
    const fee = await loadFee(db, actor, await createFee(db, actor, params.id, body))
    note({ target: fee.label, detail: { operationId: params.id, after: fee } })
    return fee
  })
  addRoute(app, tariffs.updateFee, async ({ params, body }, { db, actor, note }) => {
    const before = await updateFee(db, actor, params.id, body)
    const after = await loadFee(db, actor, params.id)
    note({ target: after.label, detail: { operationId: after.operationId, before, after } })
    return after
  })
  addRoute(app, tariffs.removeFee, async ({ params }, { db, actor, note }) => {
    const before = await removeFee(db, actor, params.id)
    note({ target: before.label, detail: { operationId: before.operationId, before } })
    return SUCCESS_REPLY
  })
}

function registerDiscountRoutes(app: FastifyInstance) {
  addRoute(app, tariffs.discounts, ({ params }, { db, actor }) => listDiscounts(db, actor, params.id))
  addRoute(app, tariffs.createDiscount, async ({ params, body }, { db, actor, note }) => {
    const discount = await loadDiscount(db, actor, await createDiscount(db, actor, params.id, body))
    note({ target: discount.label, detail: { operationId: params.id, after: discount } })
    return discount
  })
  addRoute(app, tariffs.orderDiscounts, async ({ params, body }, { db, actor, note }) => {
    await reorderDiscounts(db, actor, params.id, body.ids)
    note({ target: 'Remises', detail: { operationId: params.id } })
    return listDiscounts(db, actor, params.id)
  })
  addRoute(app, tariffs.updateDiscount, async ({ params, body }, { db, actor, note }) => {
    const before = await updateDiscount(db, actor, params.id, body)
    const after = await loadDiscount(db, actor, params.id)
    note({ target: after.label, detail: { operationId: after.operationId, before, after } })
    return after
  })
  addRoute(app, tariffs.removeDiscount, async ({ params }, { db, actor, note }) => {
    const before = await removeDiscount(db, actor, params.id)
    note({ target: before.label, detail: { operationId: before.operationId, before } })
    return SUCCESS_REPLY
  })
}

export function registerFeeAndDiscountRoutes(app: FastifyInstance) {
  registerFeeRoutes(app)
  registerDiscountRoutes(app)
}

export function registerPriceIndexRoutes(app: FastifyInstance) {
  addRoute(app, tariffs.indexes, (_, { db, actor }) => listPriceIndexes(db, actor))
  addRoute(app, tariffs.createIndex, async ({ body }, { db, actor, note }) => {
    const index = await loadPriceIndex(db, actor, await createPriceIndex(db, actor, body))
    note({ target: index.name, detail: { after: body } })
    return index
  })
  addRoute(app, tariffs.updateIndex, async ({ params, body }, { db, actor, note }) => {
    const { name, source } = await updatePriceIndex(db, actor, params.id, body)
    note({ target: name, detail: { before: { name, source }, after: body } })
    return loadPriceIndex(db, actor, params.id)
  })
  addRoute(app, tariffs.removeIndex, async ({ params }, { db, actor, note }) => {
    const { name, source } = await removePriceIndex(db, actor, params.id)
    note({ target: name, detail: { before: { name, source } } })
    return SUCCESS_REPLY
  })
  addRoute(app, tariffs.sayIndex, async ({ params, body }, { db, actor, note }) => {
    const { index, before } = await recordIndexValue(db, actor, params.id, body)
    note({ target: index.name, detail: { day: body.startsOn, before: before ?? null, after: body.value } })
    return loadPriceIndex(db, actor, params.id)
  })
}
