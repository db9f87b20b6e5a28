import { energy } from '@voisol/contract/energy'
import type { FastifyInstance } from 'fastify'
import { route } from '../../../http/route.ts'
import { attentionOf } from './attention.ts'
import { bestHoursOf } from './best-hours.ts'
import { consumptionOf, productionOf } from './documented.ts'
import { energyFile } from './export.ts'
import { flowOf } from './flow.ts'
import { heatMapOf } from './heat-map.ts'
import { listMembers, membersFile } from './members.ts'
import { operationRows } from './operations.ts'
import { producerRows } from './producers.ts'
import { seriesOf } from './series.ts'
import { summaryOf } from './summary.ts'

export function energyRoutes(app: FastifyInstance) {
  route(app, energy.production, ({ query }, { db, actor }) => productionOf(db, actor, query))
  route(app, energy.consumption, ({ query }, { db, actor }) => consumptionOf(db, actor, query))
  route(app, energy.summary, ({ query }, { db, actor, config }) => summaryOf(db, actor, config, query))
  route(app, energy.series, ({ query }, { db, actor }) => seriesOf(db, actor, query))
  route(app, energy.export, ({ query }, { db, actor }) => energyFile(db, actor, query))
  route(app, energy.heatMap, ({ query }, { db, actor }) => heatMapOf(db, actor, query))
  route(app, energy.flow, ({ query }, { db, actor }) => flowOf(db, actor, query))
  route(app, energy.bestHours, ({ query }, { db, actor }) => bestHoursOf(db, actor, query))
  route(app, energy.members, ({ query }, { db, actor }) => listMembers(db, actor, query))
  route(app, energy.membersExport, ({ query }, { db, actor }) => membersFile(db, actor, query))
  route(app, energy.operations, async ({ query }, { db, actor, config }) => ({
    items: await operationRows(db, actor, config, query),
  }))
  route(app, energy.producers, async ({ query }, { db, actor }) => ({ items: await producerRows(db, actor, query) }))
  route(app, energy.attention, async (_, { db, actor }) => ({ items: await attentionOf(db, actor) }))
}
