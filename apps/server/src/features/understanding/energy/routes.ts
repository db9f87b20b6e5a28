import { energy } from '@voisol/contract/energy'
import type { FastifyInstance } from 'fastify'
import { snapshot } from '../../../db/snapshot.ts'
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
import { drawnSeries } from './series.ts'
import { summaryOf } from './summary.ts'

/** Which runs hold and what they gave is read as of one moment: one that ends meanwhile would be seen by halves. */
export function energyRoutes(app: FastifyInstance) {
  route(app, energy.production, ({ query }, { db, actor }) => snapshot(db, (view) => productionOf(view, actor, query)))
  route(app, energy.consumption, ({ query }, { db, actor }) =>
    snapshot(db, (view) => consumptionOf(view, actor, query)),
  )
  route(app, energy.summary, ({ query }, { db, actor, config }) => summaryOf(db, actor, config, query))
  route(app, energy.series, ({ query }, { db, actor }) => snapshot(db, (view) => drawnSeries(view, actor, query)))
  route(app, energy.export, ({ query }, { db, actor }) => snapshot(db, (view) => energyFile(view, actor, query)))
  route(app, energy.heatMap, ({ query }, { db, actor }) => snapshot(db, (view) => heatMapOf(view, actor, query)))
  route(app, energy.flow, ({ query }, { db, actor }) => snapshot(db, (view) => flowOf(view, actor, query)))
  route(app, energy.bestHours, ({ query }, { db, actor }) => snapshot(db, (view) => bestHoursOf(view, actor, query)))
  route(app, energy.members, ({ query }, { db, actor }) => snapshot(db, (view) => listMembers(view, actor, query)))
  route(app, energy.membersExport, ({ query }, { db, actor }) =>
    snapshot(db, (view) => membersFile(view, actor, query)),
  )
  route(app, energy.operations, ({ query }, { db, actor, config }) =>
    snapshot(db, (view) => operationRows(view, actor, config, query)),
  )
  route(app, energy.producers, async ({ query }, { db, actor }) => ({
    items: await snapshot(db, (view) => producerRows(view, actor, query)),
  }))
  route(app, energy.attention, async (_, { db, actor }) => ({
    items: await snapshot(db, (view) => attentionOf(view, actor)),
  }))
}
