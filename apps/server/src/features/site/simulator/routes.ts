import { simulator } from '@voisol/contract/simulator'
import { buildSimulationPdf } from '@voisol/documents/pdf/simulation-report'
import type { FastifyInstance } from 'fastify'
import { getClientNetwork } from '../../../http/client-address.ts'
import { addRoute } from '../../../http/route.ts'
import { throttle } from '../../../http/throttle.ts'
import { estimateHourly } from './hourly-estimate.ts'
import { buildSimulationReport } from './simulation-report.ts'

const HOUR_SECONDS = 3600

export function simulatorRoutes(app: FastifyInstance) {
  addRoute(app, simulator.refine, async ({ body }, { aside, request }) => {
    await throttle(aside, `simulator refine ${getClientNetwork(request.ip)}`, 60, HOUR_SECONDS)
    return estimateHourly(body)
  })
  addRoute(app, simulator.report, async ({ body }, { aside, request }) => {
    await throttle(aside, `simulator report ${getClientNetwork(request.ip)}`, 30, HOUR_SECONDS)
    return {
      name: 'rapport-simulation-voisol.pdf',
      content: await buildSimulationPdf(await buildSimulationReport(body.simulationData)),
    }
  })
}
