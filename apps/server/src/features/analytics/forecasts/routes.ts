import { forecasts } from '@voisol/contract/forecasts'
import type { FastifyInstance } from 'fastify'
import { readSnapshot } from '../../../db/client.ts'
import { addRoute } from '../../../http/route.ts'
import { listTomorrowHours } from './best-hours.ts'
import { listForecastSubjects } from './forecast-subjects.ts'
import { exportForecastFile, loadForecast } from './load-forecast.ts'
import { loadAccuracy } from './score-forecasts.ts'

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
