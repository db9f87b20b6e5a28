import { forecasts } from '@voisol/contract/forecasts'
import type { FastifyInstance } from 'fastify'
import { readSnapshot } from '../../../db/snapshot.ts'
import { addRoute } from '../../../http/route.ts'
import { loadAccuracy } from './accuracy.ts'
import { listTomorrowHours } from './best-hours.ts'
import { exportForecastFile } from './export.ts'
import { listForecastSubjects } from './scope.ts'
import { loadForecast } from './view.ts'

export function forecastRoutes(app: FastifyInstance) {
  addRoute(app, forecasts.subjects, async (_, { db, actor }) => ({ items: await listForecastSubjects(db, actor) }))
  addRoute(app, forecasts.get, async ({ query }, { db, actor }) => ({
    forecast: await readSnapshot(db, (view) => loadForecast(view, actor, query)),
  }))
  addRoute(app, forecasts.accuracy, ({ query }, { db, actor }) => loadAccuracy(db, actor, query))
  addRoute(app, forecasts.export, ({ query }, { db, actor }) =>
    readSnapshot(db, (view) => exportForecastFile(view, actor, query)),
  )
  addRoute(app, forecasts.bestHours, async ({ query }, { db, actor }) => ({
    items: await listTomorrowHours(db, actor, query),
  }))
}
