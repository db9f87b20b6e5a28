import { simulator } from '@voisol/contract/simulator'
import type { FastifyInstance } from 'fastify'
import { networkOf } from '../../../http/network.ts'
import { route } from '../../../http/route.ts'
import { throttle } from '../../../http/throttle.ts'
import { simulationReport } from '../../../pdf/simulation-report.ts'
import { hourlyEstimate } from './hourly.ts'
import { reportData } from './report.ts'

const HOUR = 3600

export function simulatorRoutes(app: FastifyInstance) {
  route(app, simulator.refine, async ({ body }, { aside, request }) => {
    await throttle(aside, `simulator refine ${networkOf(request.ip)}`, 60, HOUR)
    return hourlyEstimate(body)
  })
  route(app, simulator.report, async ({ body }, { aside, request }) => {
    await throttle(aside, `simulator report ${networkOf(request.ip)}`, 30, HOUR)
    return {
      name: 'rapport-simulation-voisol.pdf',
      content: await simulationReport(await reportData(body.simulationData)),
    }
  })
}
