import { energy } from '@voisol/contract/energy'
import type { FastifyInstance } from 'fastify'
import { readSnapshot } from '../../../db/client.ts'
import { addRoute } from '../../../http/route.ts'
import { listAttentionItems } from './attention.ts'
import { loadEnergyFlow } from './energy-flow.ts'
import {
  loadConsumptionSeries,
  loadEnergyChartSeries,
  loadEnergyHeatMap,
  loadProductionSeries,
} from './energy-series.ts'
import { loadEnergySummary } from './energy-summary.ts'
import { exportEnergyFile } from './export-energy.ts'
import { exportMembersFile, listMembers } from './list-members.ts'
import { listOperationRows } from './operation-rows.ts'
import { listProducerRows } from './plant-monitoring.ts'
import { loadUsualBestHours } from './usual-best-hours.ts'

/** Runs in force and their results are read in one snapshot: a run that ends meanwhile would be half visible. */
export function energyRoutes(app: FastifyInstance) {
  addRoute(app, energy.production, ({ query }, { db, actor }) =>
    readSnapshot(db, (view) => loadProductionSeries(view, actor, query)),
  )
  addRoute(app, energy.consumption, ({ query }, { db, actor }) =>
    readSnapshot(db, (view) => loadConsumptionSeries(view, actor, query)),
  )
  addRoute(app, energy.summary, ({ query }, { db, actor, config }) => loadEnergySummary(db, actor, config, query))
  addRoute(app, energy.series, ({ query }, { db, actor }) =>
    readSnapshot(db, (view) => loadEnergyChartSeries(view, actor, query)),
  )
  addRoute(app, energy.export, ({ query }, { db, actor }) =>
    readSnapshot(db, (view) => exportEnergyFile(view, actor, query)),
  )
  addRoute(app, energy.heatMap, ({ query }, { db, actor }) =>
    readSnapshot(db, (view) => loadEnergyHeatMap(view, actor, query)),
  )
  addRoute(app, energy.flow, ({ query }, { db, actor }) =>
    readSnapshot(db, (view) => loadEnergyFlow(view, actor, query)),
  )
  addRoute(app, energy.bestHours, ({ query }, { db, actor }) =>
    readSnapshot(db, (view) => loadUsualBestHours(view, actor, query)),
  )
  addRoute(app, energy.members, ({ query }, { db, actor }) =>
    readSnapshot(db, (view) => listMembers(view, actor, query)),
  )
  addRoute(app, energy.membersExport, ({ query }, { db, actor }) =>
    readSnapshot(db, (view) => exportMembersFile(view, actor, query)),
  )
  addRoute(app, energy.operations, ({ query }, { db, actor, config }) =>
    readSnapshot(db, (view) => listOperationRows(view, actor, config, query)),
  )
  addRoute(app, energy.producers, async ({ query }, { db, actor }) => ({
    items: await readSnapshot(db, (view) => listProducerRows(view, actor, query)),
  }))
  addRoute(app, energy.attention, async (_, { db, actor }) => ({
    items: await readSnapshot(db, (view) => listAttentionItems(view, actor)),
  }))
}
