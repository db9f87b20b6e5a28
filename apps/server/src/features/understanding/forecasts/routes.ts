import { forecasts } from '@voisol/contract/forecasts'
import type { FastifyInstance } from 'fastify'
import { snapshot } from '../../../db/snapshot.ts'
import { route } from '../../../http/route.ts'
import { readAccuracy } from './accuracy.ts'
import { tomorrowHours } from './best-hours.ts'
import { forecastFile } from './export.ts'
import { listSubjects } from './scope.ts'
import { forecastOf } from './view.ts'

export function forecastRoutes(app: FastifyInstance) {
  route(app, forecasts.subjects, async (_, { db, actor }) => ({ items: await listSubjects(db, actor) }))
  route(app, forecasts.get, async ({ query }, { db, actor }) => ({
    forecast: await snapshot(db, (view) => forecastOf(view, actor, query)),
  }))
  route(app, forecasts.accuracy, ({ query }, { db, actor }) => readAccuracy(db, actor, query))
  route(app, forecasts.export, ({ query }, { db, actor }) => snapshot(db, (view) => forecastFile(view, actor, query)))
  route(app, forecasts.bestHours, async ({ query }, { db, actor }) => ({
    items: await tomorrowHours(db, actor, query),
  }))
}
