import type { SimulationInput } from '@voisol/contract/simulator'
import { simulateProject } from '@voisol/energy/simulator'
import type { SimulationReport } from '../../../pdf/simulation-data.ts'
import {
  estimateHourly,
  SIMULATOR_BUILDING_LABELS,
  SIMULATOR_PLACES,
  SIMULATOR_PROJECT_LABELS,
  STANDARD_ROOF,
  toSimulationCase,
} from './hourly-estimate.ts'

const NOT_SPECIFIED = 'Non précisé'

/** Everything is computed from the inputs; results sent along are not looked at. */
export async function buildSimulationReport(sent: SimulationInput): Promise<SimulationReport> {
  const { projectType, location, nbLogements, puissanceInstallee, consommationAnnuelle, typeBatiment } = sent
  const input = { projectType, location, nbLogements, puissanceInstallee, consommationAnnuelle, typeBatiment }
  const which = toSimulationCase(input)
  return {
    createdAt: new Date(),
    project: projectType ? SIMULATOR_PROJECT_LABELS[projectType] : NOT_SPECIFIED,
    place: location ? SIMULATOR_PLACES[location].label : NOT_SPECIFIED,
    building: typeBatiment ? SIMULATOR_BUILDING_LABELS[typeBatiment] : NOT_SPECIFIED,
    homes: nbLogements,
    power: puissanceInstallee,
    consumption: consommationAnnuelle,
    quick: simulateProject(input),
    hourly: { ...(await estimateHourly(input)), city: SIMULATOR_PLACES[which.place].city, tilt: STANDARD_ROOF.tilt },
  }
}
